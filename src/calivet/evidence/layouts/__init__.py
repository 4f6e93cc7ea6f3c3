"""What the paths inside known bundles tell: which command, which machine."""
