"""A cluster of 5,000 nodes and 100,000 pods on paper, with three sick nodes, and its way into etcd."""
