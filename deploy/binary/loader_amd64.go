package main

const loader = "ld-linux-x86-64.so.2"
