module calivet.test/calicoctl-parser

go 1.24.0

require github.com/docopt/docopt-go v0.0.0-20180111231733-ee0de3bc6815
