//go:build tools

// Package helm pins the Helm that the tests of the chart run.
package helm

import _ "helm.sh/helm/v3/cmd/helm"
