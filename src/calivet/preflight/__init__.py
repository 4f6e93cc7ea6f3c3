"""What would stop Calico on a node, looked for before it is installed there or the node is added."""
