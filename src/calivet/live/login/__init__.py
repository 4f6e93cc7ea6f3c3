"""Who asks: kubeconfig files, credentials and the plugins that give them out, as kubectl takes them."""
