package main

const loader = "ld-linux-aarch64.so.1"
