"""The rest of a host: units, journals, runtimes, kubelet, resources, kernel."""
