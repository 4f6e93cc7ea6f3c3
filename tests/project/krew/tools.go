//go:build tools

// Package krew pins the krew that the tests install the plugin with.
package krew

import _ "sigs.k8s.io/krew/cmd/krew"
