package main

import (
	"errors"
	"fmt"
)

// ErrNotReady is returned while BIRD is not ready.
var ErrNotReady = errors.New("calico/node is not ready: BIRD is not ready")

func check(ok bool) error {
	if !ok {
		return fmt.Errorf("bgp not established with peers: %w", ErrNotReady)
	}
	return nil
}

func main() {
	if err := check(false); err != nil {
		fmt.Println("Failed to create pod sandbox:", err)
	}
}
