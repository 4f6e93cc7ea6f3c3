"""The table of places that tell what a word is: a machine, a domain, a cluster, a person, a number given by a cloud."""

from __future__ import annotations

from msgspec import Struct

# Words of Kubernetes, of prompts and of sentences: whoever calls a machine one of these is not known by it.
COMMON = frozenset(
    (
        "localhost foo master node worker server host minion control-plane controlplane k8s kube kubernetes calico"
        " cluster etcd default ubuntu debian centos rocky template linux none all unknown true false null nil name"
        " status felix bird typha kube-system system admin test api apiserver proxy dns coredns docker containerd"
        " cni amd64 arm64 x86_64 pod pods nodes kubelet kubectl root user the is not was and for with from has"
        " ready notready a an of in on to at or by hostname nodename spec metadata string selector address"
        " addresses ip event events watch kernel systemd calico-node kube-proxy canal annotation annotations label"
        " labels be it which that this no any control-plane-endpoint kube-apiserver kube-controller-manager"
        " kube-scheduler calico-typha calico-kube-controllers calico-apiserver tigera-operator calico-system"
        " calico-cni-plugin front-proxy-client front-proxy-ca etcd-ca kubernetes-ca kubernetes-admin"
        " kube-apiserver-kubelet-client kube-apiserver-etcd-client tigera-ca-private typha-server typha-client"
        " virtual-node-aci-linux virtual-kubelet"
    ).split()
)
# What log messages are made of. A machine of such a name is replaced nowhere, or "Failed to pull image" would suffer.
ORDINARY = frozenset(
    (
        "about access account active add affinity after again against age agent ago allow already also always"
        " another answer apply are assigned author auto available back backend backoff bad because been before"
        " between block blocked blocks both bridge bug build but bytes can cannot cause cert certificate changed"
        " check checking clean client clock cloud code command comment condition conf config configuration"
        " configured conflict connect connected connecting connection container containers context control"
        " controller core could count cpu crash create created creating current custom cut daemon daemonset data"
        " dataplane datastore date days dead deadline debug delete deleted denied deploy deployment describe"
        " desired detected determined dev device dial did different directory disabled discovery disk does done"
        " down driver drop dropped during each early enabled end endpoint endpoints ends entry env environment"
        " error errors established every example exceeded exec exist exists exit exited expired fail failed"
        " failing fails failure fatal field file files filesystem filter find fine finished firewall first fix"
        " flag flags forbidden found free full gateway generic get gets getting given global gone group had hash"
        " have health healthy here hit host hosts how http https if ignore image images info init initialize"
        " initialized input insert install installed interface internal into invalid issue its itself job key"
        " kill killed kind know last later latest layer left length level like limit line link list listen live"
        " liveness load loaded loading local lock log logs long lookup loop lost machine main make manager manifest"
        " map match memory message metrics migrate minutes mismatch missing mode module modules monitor more mount"
        " mounted must namespace network never new next nothing now number of off old once one only open operator"
        " option options order other our out output over overlay own packet packets panic parse password patch"
        " path peer peers pending permission ping plugin policy pool pools port ports present print probe process"
        " program protocol pull pulled pulling push range reach reached read readiness reason reboot received"
        " record refused registry release reload remove removed reporting request requests required resource"
        " resources restart restarted restarting restore retry retrying right role route routes rule rules run"
        " running runs runtime safe same sandbox save scheduled scheduler scope second seconds secret secrets"
        " security see send sent server service services session set sets setup shared short should show since"
        " size skipping socket some source space stale start started starting starts state stop stopped storage"
        " store stuck success successfully summary supported swap sync table tables tail takes task terminated"
        " terminating than their them then there these they time timed timeout token too total traffic trying"
        " tunnel two type unable unauthorized unhealthy unreachable until update updated upgrade use used using"
        " valid value version via volume volumes wait waiting warn warning was weak web were what when where while"
        " why will without work works would write wrong yes yet you your dashboard database frontend metric ingress"
    ).split()
)
# Accounts that every system has.
ACCOUNTS = frozenset(
    (
        "root admin ubuntu centos core ec2-user vagrant debian opc azureuser k8s kube user kubernetes-admin git noreply"
        " no-reply"
    ).split()
)
# Ends of names that belong to nobody's site: where everybody's software comes from, what clouds and desktops call
# their own machines, the cluster's own domain, and what ends a unit's name.
PUBLIC = tuple(
    (
        "k8s.io kubernetes.io docker.io docker.com quay.io gcr.io ghcr.io github.com githubusercontent.com"
        " github.io gitlab.com google.com googleapis.com pkg.dev amazonaws.com amazonaws.com.cn azurecr.io azure.com"
        " azmk8s.io windows.net microsoft.com projectcalico.org tigera.io aliyuncs.com aliyun.com rancher.com"
        " rancher.io cattle.io redhat.com redhat.io fedoraproject.org centos.org ubuntu.com debian.org suse.com"
        " opensuse.org cncf.io coreos.com istio.io helm.sh prometheus.io grafana.com elastic.co hashicorp.com"
        " golang.org go.dev gopkg.in letsencrypt.org cloudflare.com daocloud.io tencentyun.com tencent.com"
        " huaweicloud.com myhuaweicloud.com 163.com ntp.org w3.org apache.org openssl.org freedesktop.org kernel.org"
        " man7.org stackoverflow.com gmail.com containerd.io etcd.io velero.io nvidia.com intel.com amd.com nmap.org"
        " cilium.io metallb.io metallb.universe.tf cert-manager.io argoproj.io longhorn.io rook.io openebs.io"
        " kubevirt.io operatorframework.io openshift.io openshift.com kubesphere.io k0sproject.io k3s.io rke2.io"
        " gardener.cloud crossplane.io fluxcd.io kyverno.io keda.sh karmada.io openkruise.io goharbor.io harbor.io"
        " jetstack.io opentelemetry.io linkerd.io traefik.io nginx.org nginx.com konghq.com oracle.com oraclecloud.com"
        " oraclevcn.com ibm.com vmware.com x-k8s.io sigs.k8s.io crio.io moby.dev podman.io opencontainers.org"
        " python.org java.net sourceforge.net segmentfault.com csdn.net cnblogs.com gitee.com gitcode.com"
        " example.com example.org example.net example.io spec.io letsencrypt.com digicert.com volcengine.com"
        " tmall.com alipay.com baidu.com qq.com bird.network.cz nic.cz netfilter.org wireguard.com"
        " cluster.local svc ec2.internal compute.internal docker.internal google.internal minikube.internal"
        " k3d.internal lima.internal lb.kubesphere.local cloudapp.net cloudapp.azure.com example service slice socket"
        " timer mount target scope conf device path"
    ).split()
)
# Ends of names that no registry sells: whatever stands before them is somebody's own.
PRIVATE_ENDS = (
    "local corp internal lan home intra intranet private localnet localdomain priv prv loc dc domain ad office"
    " company site"
).split()
# Ends that mean a domain wherever they stand, and those that only do behind two labels: spec.ca, my.app, b.in.
REGISTERED_ENDS = (
    "com net org io edu gov mil de fr uk cn ru nl se dk ch pt cz gr jp kr tw hk sg nz tr ua il eu asia ir vn kz"
).split()
AMBIGUOUS_ENDS = (
    "biz info cloud tech xyz ai dev app online shop ca es au br mx in it at be no pl fi us za ar me co hu ro tv"
).split()
# First labels of what reads like a name of two labels, but is a file, a setting or a field.
NOT_LABELS = frozenset(
    (
        "localhost rc user java os env app self this cfg config conf spec status metadata log pkg usr var etc settings"
        " options kernel net fs hosts syslog data values args err resp req ctx obj node pod vm system sys catalina"
    ).split()
)
# Values in a certificate's subject that Kubernetes and its installers write themselves.
OWN_SUBJECTS = (
    "system:",
    "kubeadm:",
    "kubernetes",
    "k8s",
    "etcd",
    "calico",
    "typha",
    "tigera",
    "front-proxy",
    "Default ",
)


HOST, CLUSTER, USER, DOMAIN = "host", "cluster", "user", "domain"
SERVICE = "service"
"""The full name of a machine that offers something: its domain is learnt."""
FULL = "full"
"""What is a full name only by its end."""
ORGANISATION, RESOURCE, IDENTIFIER = "organisation", "resource", "identifier"
BRIDGE = "bridge"
"""An address that every machine with VirtualBox, libvirt or Docker has, where Calico took it for the node's own."""

NAME = r"[A-Za-z0-9](?:[\w.-]{0,250}[A-Za-z0-9])?"
# Not a word of a sentence.
MARKED = r"(?=\S*[\d.-])"
NUMBERED = r"(?=[A-Za-z_-]*\d)"
FULL_NAME = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
LONG_NAME = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+){2,}"
LABELS = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})"
START = r"(?:(?<![\w./@-])|(?<=//)|(?<=\\n)|(?<=\*\.)|(?<=[\s,=\"']\.))"
ENDS, MORE_ENDS = "|".join((r"home\.arpa", *PRIVATE_ENDS, *REGISTERED_ENDS)), "|".join(AMBIGUOUS_ENDS)
TIME = r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*)"
AGO = r"(?:[ \t]\([^)\n]*\))?"
CELL = r"[ \t]+"
URL = r"(?:https?|tcp|tls|etcd|ldaps?|wss?|ssh|git|oci|ftp)"
UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
IS = r"\\*[\"']?\s{0,3}[:=]\s{0,40}\\*[\"']?"
HYPERVISORS = r"10\.0\.2\.15|192\.168\.122\.1"
DOCKERS = rf"{HYPERVISORS}|172\.(?:1[7-9]|2\d|3[01])\.0\.1"
CARRIERS = (
    "digitalocean|hcloud|linode|vultr|equinixmetal|packet|openstack|vsphere|nutanix|proxmox|metal3|baremetalhost|aws"
    "|cloudstack|harvester|exoscale|scaleway|ovhcloud|huaweicloud|upcloud|civo|outscale|alicloud|qcloud|tencentcloud"
)
AZURE = (
    "resourceGroups|virtualMachines|virtualMachineScaleSets|virtualNetworks|subnets|networkInterfaces|disks|images"
    "|loadBalancers|publicIPAddresses|networkSecurityGroups|routeTables|managedClusters|userAssignedIdentities|vaults"
)
TENANCY = "account|owner|tenant|subscription|project|organi[sz]ation|instance|vm|reservation|enrollment|billing"


class Place(Struct, frozen=True):
    """One way to tell that a word is a name."""

    kind: str
    hint: str
    """For the scanner: simple, and never narrower than the shape unless the line around it has to tell as well."""
    shape: str
    """Each group of it that takes part is a name."""


MACHINES = (
    Place(
        HOST, rf"^{TIME} [A-Za-z][\w.-]* [\w./@-]+(?:\[\d+\])?: ", rf"^{TIME} ([A-Za-z][\w.-]*) [\w./@-]+(?:\[\d+\])?: "
    ),
    Place(
        HOST,
        r"^\s*(?:Node|Hostname|Static hostname|Nominated Node Name|Node name):\s+\w",
        rf"^\s*(?:Node|Hostname|Static hostname|Nominated Node Name|Node name):\s+({NAME})(?:/[\d.:a-f]+)?\s*$",
    ),
    Place(HOST, r"kubernetes\.io/hostname", rf"kubernetes\.io/hostname[\"']?(?:=|:|\s+in \[)\s*[\"'\[]?({NAME})"),
    Place(
        HOST,
        r"(?i)node_?name(?:\\*[\"'])?\s*:",
        rf"(?i)\bnode_?name\\*[\"']?\s*:\s*\\*[\"']?({NAME})(?=\\*[\"',;}}]|\s*$)",
    ),
    Place(HOST, r"(?i)node_?name=", rf"(?i)\bnode_?name=\\*[\"']?({NAME})"),
    Place(
        HOST,
        r"(?i)(?:host|node)(?:name)?(?:\\*[\"'])?[=:]\s?\\*[\"']",
        rf"(?i)\b(?:host|node)(?:name)?\\*[\"']?[=:]\s?\\*[\"']({NAME})\\*[\"']",
    ),
    Place(HOST, r"(?:hostname|HOSTNAME|node)=\w", rf"(?:\b|_)(?:hostname|HOSTNAME|node)=({NAME})(?=[\s,;)]|$)"),
    Place(
        HOST,
        r"--(?:hostname-override|node-name|hostname)[= ]",
        rf"--(?:hostname-override|node-name|hostname)[= ]({NAME})",
    ),
    Place(HOST, r"nodes? \\*[\"']", rf"\bnodes? \\*[\"']({NAME})\\*[\"']"),
    Place(
        HOST,
        r"[nN]odes?/|system:node:",
        rf"(?<![\w/-])(?:[nN]odes?/|system:node:)(?!\S*\.go\b)({NAME})(?=[\s\"',:)]|$)",
    ),
    Place(
        HOST,
        r"(?:[Nn]ode|[Hh]ost) \S+ (?:status is now|event: |with version)",
        rf"\b(?:[Nn]ode|[Hh]ost) ({NAME}) (?:status is now|event: |with version)",
    ),
    Place(HOST, r"node name:? \w", rf"\bnode name:? ({NAME})\s*$"),
    Place(HOST, r"kubelet, \w", rf"\bkubelet, {MARKED}({NAME})\s"),
    Place(HOST, r"^\s*(?:node|hostname): \w", rf"^\s*(?:node|hostname): ({NAME})$"),
    Place(HOST, r"[hH]older_?[iI]dentity", r"\b[hH]older_?[iI]dentity\"?:\s+\"?([A-Za-z0-9.-]+)"),
    Place(
        HOST,
        r"(?:cordon|drain|describe nodes?|top nodes?|get nodes?|--node)[ =]\w",
        rf"\b(?:cordon|drain|describe nodes?|top nodes?|get nodes?|--node)[ =]{MARKED}({NAME})(?=\s|$)",
    ),
    Place(HOST, r"^[0-9a-f]{12}[0-9a-f]*, (?:un)?started, ", rf"^[0-9a-f]{{12,16}}, (?:un)?started, ({NAME}), http"),
    # Rows of nodes, and of pods with their nodes; their headers may be gone.
    Place(
        HOST,
        r"\s(?:Ready|NotReady|Unknown)[\w,]*\s+[\w,<>-]+\s+\d+[smhdy]",
        rf"^[ \t]*({NAME}){CELL}(?:Ready|NotReady|Unknown)[\w,]*{CELL}[\w,<>-]+{CELL}\d+[smhdy]",
    ),
    Place(HOST, r"\d+m\s+\d+%", rf"^[ \t]*({NAME}){CELL}\d+m{CELL}\d+%"),
    Place(HOST, r"\(\d+\)\s+\d+\.\d+\.\d", rf"^[ \t]*({NAME}){CELL}\(\d+\){CELL}\d+\.\d+\.\d"),
    Place(
        HOST,
        r"\s\d+/\d+\s+[A-Z]\S*\s+\d+\s",
        rf"[ \t]\d+/\d+{CELL}[A-Z]\S*{CELL}\d+{AGO}{CELL}\w+{CELL}(?:[\d.a-f:]+|<none>){CELL}({NAME})(?=\s|$)",
    ),
    Place(
        HOST,
        r"(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)-\S+\s+\d+/\d+\s",
        rf"(?:^|\s)(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)-({NAME})\s+\d+/\d+\s",
    ),
    # A prompt, the kernel's word about itself, a row of /etc/hosts, a name that was looked up or called.
    Place(
        HOST,
        r"\w@[\w.-]+[ :][^\n#$]*[#$%]",
        r"^[ \t(\[\w)]{0,40}?\[?[A-Za-z_][\w.+-]{0,31}@([A-Za-z0-9][\w.-]{0,250})[ :][^\n#$]{0,120}[#$%](?:\s|$)",
    ),
    Place(HOST, r"^Linux \S+ \d+\.\d", rf"^Linux ({NAME}) \d+\.\d"),
    Place(
        HOST,
        r"^\s*\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[ \t]+[\w.-]+(?:[ \t]+[\w.-]+)*\s*$",
        rf"^\s*\d{{1,3}}(?:\.\d{{1,3}}){{3}}{CELL}{MARKED}({NAME})(?:{CELL}({NAME}))?(?:{CELL}({NAME}))?\s*$",
    ),
    Place(HOST, r"lookup [\w-]+(?: on |:)", rf"\blookup {NUMBERED}([\w-]+)(?: on |:)"),
    Place(HOST, rf"{URL}://[\w-]+[:/]", rf"\b{URL}://{NUMBERED}([A-Za-z][\w-]*)(?=[:/])"),
)
SITES = (
    Place(
        CLUSTER,
        r"^\s*(?:- )?(?:current-)?context:|[cC](?:luster|ontext) \"|--context[= ]|--cluster-name[= ]|clusterName:"
        r"|use-context |Switched to context|cluster: ",
        r"(?:^\s*(?:- )?(?:(?:current-)?context|clusterName|cluster):\s+|--context[= ]|--cluster-name[= ]"
        rf"|use-context |Switched to context |\b[cC](?:luster|ontext) (?=\"))\"?(?:{NAME}@)?({NAME})",
    ),
    Place(
        USER,
        r"\w@[\w.-]+[ :][^\n#$]*[#$%]",
        r"^[ \t(\[\w)]{0,40}?\[?([A-Za-z_][\w.+-]{0,31})@[\w.-]+[ :][^\n#$]{0,120}[#$%](?:\s|$)",
    ),
    Place(USER, r"/home/|/Users/", r"/(?:home|Users)/([A-Za-z_][\w.-]*)"),
    Place(USER, r"\w@[\w-]+\.\w", r"(?<![\w.+@/-])([A-Za-z0-9][\w.+-]*)@(?:[\w-]+\.)+[A-Za-z]{2,}(?![\w-])"),
    Place(USER, r"://[\w.+-]+@|context: ", rf"(?:://|^\s*(?:- )?(?:current-)?context:\s+\"?)({NAME})@"),
    Place(
        USER,
        r"for (?:invalid )?user |Accepted \w+ for |sudo(?:\[\d+\])?: ",
        r"(?:for (?:invalid )?user |Accepted \w+ for |sudo(?:\[\d+\])?: +)"
        r"([A-Za-z_][\w.-]{0,31})(?= (?:from|by|:)|\(|$)",
    ),
    Place(DOMAIN, r"\w@[\w-]+\.\w", r"(?<![\w.+@/-])[A-Za-z0-9][\w.+-]*@((?:[\w-]+\.)+[A-Za-z]{2,})(?![\w-])"),
    Place(
        DOMAIN,
        r"^\s*(?:search|domain)\s|cluster-?[dD]omain",
        rf"(?:^\s*(?:search|domain)\s+|cluster-?[dD]omain{IS})({FULL_NAME})(?:\s+({FULL_NAME}))?(?:\s+({FULL_NAME}))?",
    ),
    Place(SERVICE, rf"{URL}://", rf"\b{URL}://(?:[^\s/@\"']*@)?({FULL_NAME})(?=[:/\s\"',)]|$)"),
    Place(
        SERVICE,
        r"[a-z0-9-]+\.[a-z0-9.-]+(?::\d+)?/[a-z0-9][\w./-]*(?::\w|@sha256)",
        rf"(?<![\w./:-])({FULL_NAME})(?::\d{{2,5}})?/[a-z0-9][\w./-]*(?::[\w.-]+|@sha256)",
    ),
    Place(FULL, rf"\w\.(?:{ENDS})(?:[^A-Za-z0-9]|$)", rf"{START}((?:{LABELS}\.){{1,8}}(?:{ENDS}))(?![\w-]|\.\w)"),
    Place(FULL, rf"\w\.\S+\.(?:{MORE_ENDS})\b", rf"{START}((?:{LABELS}\.){{2,8}}(?:{MORE_ENDS}))(?![\w-]|\.\w)"),
    Place(BRIDGE, rf"inet (?:{HYPERVISORS})/", rf"inet ({HYPERVISORS})/"),
    Place(
        BRIDGE,
        rf"(?:address|IPv4Address|IP=|with|\|).*(?:{DOCKERS})",
        r"(?:autodetected IPv4 address.{0,40}|IPv4Address: ?|from environment: IP=|not established with [\d.,]{0,120}"
        rf"|already using the IPv4 address |\| )({DOCKERS})\b",
    ),
)
CERTIFICATES = (
    Place(
        ORGANISATION,
        r"(?:[sS]ubject|[iI]ssuer|depth=|\b[si]:).*\b(?:C|ST|L|O|OU|CN|DC) ?= ?\S|\b(?:CN|OU) ?= ?\S",
        r"(?<![\w.-])(?:C|ST|S|L|O|OU|CN|DC|GN|SN|UID|street|STREET|postalCode|serialNumber|emailAddress) ?= ?"
        r"(?:\\?\"([^\"\\]{1,200})\\?\"|((?:[^,/+\"'\\;\s)(\]}]|\\[,+\"/]|/(?![A-Za-z]{1,20}=)|\([^)\n]{0,60}\)"
        r"| (?! |$|[A-Za-z]{1,12} ?=)){1,200}))",
    ),
    Place(ORGANISATION, r"authority certificate ", r"authority certificate \\*\"([^\"\\]+)"),
    Place(HOST, r"\bDNS(?::|\sName:)", r"\bDNS(?::| Name: ?)(?:\*\.)?([A-Za-z0-9][A-Za-z0-9-]*)(?![\w.-])"),
    Place(FULL, r"\bDNS(?::|\sName:)", rf"\bDNS(?::| Name: ?)(?:\*\.)?({LONG_NAME})"),
    Place(HOST, r"is valid for ", r"(?:valid for |, |not )([A-Za-z0-9][A-Za-z0-9-]*)(?![\w.-])(?! valid)"),
    Place(FULL, r"is valid for ", rf"(?:valid for |, |not )(?:\*\.)?({LONG_NAME})"),
    # The whole of it in base64, which anybody can read.
    Place(IDENTIFIER, r"LS0tLS1CRUdJTi", r"(LS0tLS1CRUdJTi[A-Za-z0-9+/=]+)"),
    Place(IDENTIFIER, r"MII[A-Za-z0-9]", r"(?<![\w+/])(MII[A-Za-z0-9+/]{60,}={0,2})"),
    Place(
        IDENTIFIER,
        r"BEGIN (?:TRUSTED )?CERTIFICATE-----\s*(?:\\|\w)",
        r"BEGIN (?:TRUSTED )?CERTIFICATE-----((?:\\+[nr]|\s)*[A-Za-z0-9+/=][^-\"']+)",
    ),
)
CLOUDS = (
    Place(
        IDENTIFIER,
        r"(?i)(?:machine|boot|host|product|system|cluster|server)[ _-]?(?:id|uuid|guid)\b",
        r"(?i)(?:machine|boot|host|product|system|cluster|server)[ _-]?(?:id|uuid|guid)"
        rf"(?:{IS}|\s)({UUID}|[0-9a-f]{{32}})(?![\w-])",
    ),
    Place(IDENTIFIER, r"^\s*[0-9A-Fa-f-]{32,36}\s*$", rf"^\s*({UUID}|[0-9a-f]{{32}})\s*$"),
    Place(IDENTIFIER, r"/journal/[0-9a-f]{32}", r"/journal/([0-9a-f]{32})"),
    Place(
        IDENTIFIER,
        r"(?:Serial Number|Asset Tag|Service Tag):\s",
        r"(?:Serial Number|Asset Tag|Service Tag):\s+(\S.{3,60}?)\s*$",
    ),
    Place(
        IDENTIFIER,
        r"\b(?:i|eni|vpc|subnet|sg|vol|ami|snap|rtb|igw|nat|eipalloc|acl|tgw|lt|fs|pcx|vgw|ins|m)-[0-9a-z]{8}",
        r"(?<![\w-])(?:i|eni|vpc|subnet|sg|vol|ami|snap|rtb|igw|nat|eipalloc|acl|tgw|lt|fs|pcx|vgw)-"
        r"([0-9a-f]{17}|(?=[a-f]*\d)[0-9a-f]{8}|[0-9a-z]{20})(?![\w-])",
    ),
    Place(IDENTIFIER, r"ocid1\.", r"\bocid1\.[a-z]+\.[\w-]*\.[\w-]*\.([a-z0-9]{20,})"),
    Place(
        IDENTIFIER,
        rf"(?:{CARRIERS}):/",
        rf"\b(?:{CARRIERS})://(?:/?[\w.-]+/)*/?(?:[a-z]{{2}}-[a-z0-9-]{{1,30}}\.)?(?:[a-z]{{1,3}}-)?([\w-]{{4,}})(?![\w/-]|\.\w)",
    ),
    Place(IDENTIFIER, r"qcloud://", r"\bqcloud:///(\d{4,})/"),
    Place(IDENTIFIER, r"ibm://", r"\bibm://(\w+)/{1,3}([\w-]+)/([\w-]+)"),
    Place(IDENTIFIER, r"/subscriptions/", rf"/subscriptions/({UUID})"),
    Place(RESOURCE, r"gce://", r"\bgce://([\w.-]+)/"),
    Place(RESOURCE, r"/(?:projects)/", r"/projects/([a-z][\w.-]{4,})(?=/)"),
    Place(HOST, r"(?:gce|kind|k3s|rke2)://", rf"\b(?:gce|kind|k3s|rke2)://(?:[\w.-]+/)*({NAME})(?![\w./-])"),
    Place(HOST, r"/instances/", rf"/zones/[\w-]+/instances/({NAME})"),
    Place(RESOURCE, r"kind://", r"\bkind://\w+/([\w.-]+)/"),
    Place(RESOURCE, rf"/(?:{AZURE})/", rf"(?i)/(?:{AZURE})/([\w.()-]+)"),
    Place(IDENTIFIER, r"arn:[\w-]+:", r"\barn:[\w-]+:[\w-]+:[\w-]*:(\d{12})\b"),
    Place(RESOURCE, r"arn:[\w-]+:", r"\barn:[\w-]+:[\w-]+:[\w-]*:\d*:(?:[\w-]+[/:])?([^\s\"',\]}\\]+)"),
    Place(IDENTIFIER, r"\d{12}\.dkr\.ecr\.", r"(?<!\d)(\d{12})\.dkr\.ecr\."),
    Place(
        IDENTIFIER,
        rf"(?i)(?:{TENANCY})[ _-]?(?:id|number|guid)",
        rf"(?i)(?<![a-z])(?:aws_?|gcp_?|azure_?)?(?:{TENANCY})[ _-]?(?:id|number|guid){IS}"
        r"(?:[a-z]{1,6}-(?=[0-9a-z]{8}))?((?=[a-z_.-]*\d)[\w.-]{6,})",
    ),
    Place(IDENTIFIER, r"(?i)account", r"(?i)\baccount[ :=\"']{1,4}(\d{10,16})(?!\d)"),
)
PLACES = (*MACHINES, *SITES, *CERTIFICATES, *CLOUDS)
