#!/bin/bash
set -u
for card in $(ls /sys/class/net); do
  ethtool -k "$card" | grep -q 'tx-checksumming: on' && echo "$card: try 'ethtool -K $card tx off' if InCsumErrors grows"
done
grep -q 'running with swap on is not supported' /var/log/messages && echo "swap is on"
