#!/bin/sh
# Looks at one node and prints what it sees, as a terminal would show it. It only reads, and it writes no file.
#
#   sh probe.sh [--peer ADDRESS]... [--api HOST:PORT]... [--service HOST:PORT]... [--typha HOST:PORT]...
#               [--limit SECONDS] [--total SECONDS] [--path DIRECTORIES]
#
# Best run as root; anyone else sees less, and the output says where. No secret is printed. What hangs is given up after
# --limit seconds (5), and no section is begun after --total (120). Programs are looked for in --path, else in the usual
# places. Then, wherever calivet is: calivet diagnose OUTPUT.txt
#
# Other people have processes on this machine too. Only what root alone can have started, from a file that root alone can
# have written, is believed; and what it says is an argument to a command, never part of one. Each head and foot of a
# section carries a mark that nobody could know before, so that no file or process can print a section of its own.
set -u

FORMAT=2
SH=/bin/sh
PLACES=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin:/snap/bin:/var/lib/rancher/rke2/bin
LIMIT=5
TOTAL=120
# Seconds between two looks at a counter: BIRD tries a peer again after five.
PAUSE=7
MOST_BYTES=524288
MOST_LINES=2000
MOST_TARGETS=40
MOST_CERTIFICATES=30
MOST_PATHS=8

KUBELETS='kubelet k3s k3s-agent rke2-server rke2-agent k0scontroller k0sworker snap.microk8s.daemon-kubelite'
RUNTIMES='containerd docker cri-docker crio snap.microk8s.daemon-containerd'
NEIGHBOURS='firewalld ufw nftables iptables NetworkManager systemd-networkd systemd-resolved chronyd chrony ntpd ntp'
NEIGHBOURS="$NEIGHBOURS systemd-timesyncd bird frr keepalived"
SYSCTLS='net.ipv4.ip_forward net.ipv4.conf.all.forwarding net.ipv4.conf.all.rp_filter net.ipv4.conf.default.rp_filter
    net.ipv6.conf.all.forwarding net.ipv6.conf.all.disable_ipv6 net.ipv6.conf.default.disable_ipv6
    net.bridge.bridge-nf-call-iptables net.bridge.bridge-nf-call-ip6tables net.ipv4.ip_local_port_range
    net.ipv4.ip_local_reserved_ports net.ipv4.neigh.default.gc_thresh1 net.ipv4.neigh.default.gc_thresh2
    net.ipv4.neigh.default.gc_thresh3 net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max
    net.netfilter.nf_conntrack_tcp_be_liberal net.core.bpf_jit_enable kernel.unprivileged_bpf_disabled
    fs.inotify.max_user_instances fs.inotify.max_user_watches fs.file-nr fs.file-max fs.nr_open kernel.pid_max
    kernel.threads-max kernel.hung_task_timeout_secs vm.swappiness vm.overcommit_memory vm.panic_on_oom'
MODULES='ip_set ip_set_hash_ip ip_set_hash_net xt_set xt_mark xt_multiport xt_addrtype xt_conntrack xt_comment
    ipt_rpfilter nf_conntrack veth overlay vxlan ipip'
# Where calico-node keeps BIRD's configuration, in its container.
CONFD=/etc/calico/confd/config
# What each tunnel adds to a packet.
TUNNELS='tunl0:20 vxlan.calico:50 wireguard.cali:60'
# Of the environment of calico-node only these are printed.
VARIABLES='IP IP6 IP_AUTODETECTION_METHOD IP6_AUTODETECTION_METHOD NODENAME AS CLUSTER_TYPE DATASTORE_TYPE USE_POD_CIDR
    WAIT_FOR_DATASTORE NO_DEFAULT_POOLS KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT CALICO_NETWORKING_BACKEND
    CALICO_IPV4POOL_CIDR CALICO_IPV4POOL_IPIP CALICO_IPV4POOL_VXLAN CALICO_IPV6POOL_CIDR CALICO_IPV6POOL_VXLAN
    CALICO_K8S_NODE_REF CALICO_MANAGE_CNI FELIX_HEALTHPORT FELIX_HEALTHHOST FELIX_HEALTHENABLED FELIX_IPINIPMTU
    FELIX_VXLANMTU FELIX_WIREGUARDMTU FELIX_WIREGUARDENABLED FELIX_IPV6SUPPORT FELIX_BPFENABLED FELIX_IPTABLESBACKEND
    FELIX_NFTABLESMODE FELIX_IGNORELOOSERPF FELIX_TYPHAADDR FELIX_TYPHAK8SSERVICENAME FELIX_TYPHAK8SNAMESPACE
    HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy'

# --- how a section is run -------------------------------------------------------------------------------------------

# A shell of its own runs the command, says on 3 how it ended and on 4 what it printed. At the deadline it outlives the
# command by a moment, so that what was printed until then is not lost. Where the command cannot even be killed, this
# shell can, and the command is left behind without a hold on anything of ours.
# shellcheck disable=SC2016 # the other shell expands it
SECTION='
    trap "" TERM
    { (trap - TERM; exec "$@" </dev/null 2>&1 3>&- 4>&-); echo "$?" >&3; echo; } | tr "\000" " " |
    if [ "$CALIVET_HIDE" ]; then sed "$CALIVET_HIDE"; else cat; fi |
    { "$CALIVET_KEEP" -c "$CALIVET_BYTES" >&4; [ -z "$(head -c 1)" ] || { echo >&4; echo cut >&3; }; cat >/dev/null; }'
# The same for what this script itself wants to know.
# shellcheck disable=SC2016
ANSWER='"$@" </dev/null 2>/dev/null 4>&- | tr "\000" " " | head -c 65536'
# Stands in for a timeout program where there is none; with the command it ends all that the command has started. It is
# held first, or it would say of what it started that it was killed.
# shellcheck disable=SC2016
WATCH='
    end() { kill -STOP "$1"; for child in $(cat "/proc/$1/task/$1/children"); do end "$child"; done; kill -9 "$1"; }
    limit=$1; shift
    exec 5>&2 2>/dev/null
    "$@" 2>&5 5>&- & command=$!
    { sleep "$limit" & nap=$!; trap "kill $nap; exit" TERM; wait "$nap"; end "$command"; } >/dev/null 3>&- 4>&- 5>&- &
    watch=$!
    wait "$command"; code=$?
    kill "$watch" && exit "$code"
    exit 124'

apart() { # SCRIPT COMMAND...: a shell of its own runs the script, which runs the command; both end in time
    script=$1
    shift
    if [ "$has_timeout" ]; then
        timeout -k 2 "$limit" "$SH" -c "$script" section "$@"
    else
        "$SH" -c "$WATCH" watch $((limit + 2)) "$SH" -c "$script" section "$SH" -c "$WATCH" watch "$limit" "$@"
    fi
}

quietly() { # COMMAND...: what it prints, for this script's own use
    apart "$ANSWER" "$@" 2>/dev/null
}

ask() { # COMMAND...: shows it, runs it, prints what it says and how it ended
    sections=$((sections + 1))
    [ "$shown" ] || quote "$@"
    printf '%s %s %s\n' "$prompt" "$shown" "$mark"
    shown=
    if ! has "$1"; then
        echo "#= absent $1 $mark"
        return 127
    elif [ "$must_hide" ] && [ ! "$CALIVET_HIDE" ]; then
        echo "#= absent sed $mark"
        return 127
    fi
    # Who did not answer a moment ago is not waited for again.
    case " $silent " in *" $1 "*) echo "#= skipped $1 did not answer before $mark" && return 124 ;; esac
    now
    begun=$clock
    if [ $((begun - start)) -ge $((TOTAL * 100)) ]; then
        echo "#= skipped the time of the whole run is over $mark"
        return 124
    fi
    ended=$(exec 2>/dev/null && apart "$SECTION" "$@" 3>&1)
    told=$?
    close "$1"
}

close() { # PROGRAM: says how its section ended
    now
    taken=$((clock - begun)) code='' cut=''
    for word in $ended; do
        case $word in cut) cut=' cut' ;; *) code=$word ;; esac
    done
    hundredths=$((taken % 100))
    [ "$hundredths" -gt 9 ] || hundredths=0$hundredths
    seconds=$((taken / 100)).$hundredths
    case " $told $code " in *' 137 '*) [ "$taken" -lt $((limit * 100)) ] || told=124 ;; esac # killed, and by us
    if [ "$told" = 124 ] || [ "$code" = 124 ]; then
        echo "#= exit=124 seconds=$seconds timeout$cut $mark"
        # These depend on what they are asked for, all others on a service behind them.
        case $1 in cat | ls | tail | grep | df | bash | "$SH" | nc | curl | wget) ;; *) silent="$silent $1" ;; esac
        return 124
    fi
    echo "#= exit=${code:-$told} seconds=$seconds$cut $mark"
    return "${code:-$told}"
}

quote() { # WORD...: as one would type them; what does not print, and would end the quotes, is left out
    shown=
    for word do
        case $word in *[!\ -~]* | *\'*) word=$(printf %s "$word" | tr -cd ' -&(-~') ;; esac
        case $word in *[!A-Za-z0-9_./:=,@%+-]* | '') shown="$shown '$word'" ;; *) shown="$shown $word" ;; esac
    done
    shown=${shown# }
}

now() { # hundredths of a second since the machine started
    read -r clock _ 2>/dev/null </proc/uptime || clock=0.00
    clock=${clock%.*}${clock#*.}
    clock=${clock#0}
}

has() { # PROGRAM
    command -v "$1" >/dev/null 2>&1
}

# Words before `ask`: only where secrets can be hidden; the end of the output and not its beginning; more time; less.
private() { must_hide=yes && "$@"; set -- "$?"; must_hide=''; return "$1"; }
last() { CALIVET_KEEP='tail' && "$@"; set -- "$?"; CALIVET_KEEP='head'; return "$1"; }
patiently() { limit=$((LIMIT * 2)) && "$@"; set -- "$?"; limit=$LIMIT; return "$1"; }
briefly() { limit=$(((LIMIT + 1) / 2)) && "$@"; set -- "$?"; limit=$LIMIT; return "$1"; }

pipe() { # LINE WORD...: a line of shell that never changes; what does is its $1, $2, ... and nothing but plain words
    line=$1 program=${1%% *} shown=$1
    shift
    number=0
    for word do
        number=$((number + 1))
        is_plain "$word" || return
        while :; do
            case $shown in *"\"\$$number\""*) shown=${shown%%"\"\$$number\""*}$word${shown#*"\"\$$number\""} ;; *) break ;; esac
        done
    done
    if has "$program"; then ask "$SH" -c "$line" section "$@"; else ask "$program"; fi
}

there() { # PATH: it exists, or this user cannot know, and asking for it will say so
    [ -e "$1" ] && return
    above=$1
    while above=${above%/*} && [ "$above" ]; do
        [ -e "$above" ] && { [ ! -x "$above" ]; return; }
    done
    return 1
}

print() { # FILE...: those that are there
    for file do
        there "$file" && private ask cat "$file"
    done
}

list() { # DIRECTORY...: those that are there
    for directory do
        there "$directory" && ask ls -la "$directory"
    done
}

# --- what must not leave the node -----------------------------------------------------------------------------------

SECRETS='[Tt][Oo][Kk][Ee][Nn] [Pp][Aa][Ss][Ss][WwPp][OoDdHh] [Ss][Ee][Cc][Rr][Ee][Tt] [Kk][Ee][Yy]-[Dd][Aa][Tt][Aa]
    [Pp][Rr][Ii][Vv][Aa][Tt][Ee][_-]\{0,1\}[Kk][Ee][Yy] [Aa][Cc][Cc][Ee][Ss][Ss][_-]\{0,1\}[Kk][Ee][Yy]
    [Aa][Pp][Ii][_-]\{0,1\}[Kk][Ee][Yy] [Ss][Hh][Aa][Rr][Ee][Dd][_-]\{0,1\}[Kk][Ee][Yy]
    [Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll]'

hide() { # makes the script for sed, which also takes away the empty line that is put behind each output
    has sed || return
    quoted='"[^"\\]*\(\\.[^"\\]*\)*"' single="'[^']*'" yaml="^[[:space:]-]*[\"']\{0,1\}[A-Za-z0-9_.-]*[\"']\{0,1\}:"
    # First the lines below a name without a value, as in YAML; that there was one the hold space says. Then URLs with a
    # password, tokens, keys, the rest of a key whose beginning was cut off, and what HTTP is told.
    CALIVET_HIDE="x
/^below\$/{
s/.*//
x
/^[[:space:]]\{1,\}[^[:space:]]/!b on
/${yaml}[[:space:]]/b on
/${yaml}\$/b on
s/^\([[:space:]]*\).*/\1<hidden>/
x
s/.*/below/
x
b end
}
x
:on
s|://[^/@[:space:]\"]*:[^[:space:]\"]*@|://<hidden>@|g
s/eyJ[A-Za-z0-9_-]\{10,\}\.[A-Za-z0-9_.-]*/<hidden>/g
s/-----BEGIN [A-Z ]*PRIVATE KEY-----.*-----END [A-Z ]*PRIVATE KEY-----/<hidden>/
/-----BEGIN [A-Z ]*PRIVATE KEY-----/,/-----END [A-Z ]*PRIVATE KEY-----/s/.*/<hidden>/
s/^.*-----END [A-Z ]*PRIVATE KEY-----/<hidden>/
s/^[A-Za-z0-9+/]\{48,\}=\{0,2\}\$/<hidden>/
/[A-Z+/][A-Za-z0-9+/]*=\{0,2\}\$/s/\([[:space:]]\)[A-Za-z0-9+/]\{48,\}=\{0,2\}\$/\1<hidden>/
s/\([Aa]uthorization[\"']\{0,1\}[[:space:]]*[:=][[:space:]]*\).*/\1<hidden>/
s/\([Bb]earer[[:space:]]\{1,\}\)[A-Za-z._~+/-]*[0-9=][A-Za-z0-9._~+/=-]*/\1<hidden>/g
s/\([Bb]asic[[:space:]]\{1,\}\)[A-Za-z._~+/-]*[0-9=][A-Za-z0-9._~+/=-]*/\1<hidden>/g
s/^\([[:space:]\"]*[Aa]uth\"\{0,1\}[[:space:]]*[:=][[:space:]]*\)$quoted/\1\"<hidden>\"/
s/\([Pp]assword[[:space:]]\{1,\}\)$quoted/\1\"<hidden>\"/g
s/\(密码：[[:space:]]*\)[^[:space:]]*/\1<hidden>/g"
    for word in $SECRETS; do
        hide_after "[A-Za-z0-9_.-]*${word}[A-Za-z0-9_.-]*"
    done
    CALIVET_HIDE="$CALIVET_HIDE
:end
\${
/^\$/d
}"
}

hide_after() { # NAME: what it is set to; on the lines below; in quotes; to the end of its line; an option's; in mid-line
    is="[\"']\{0,1\}[[:space:]]*[:=][[:space:]]*" some='\{4,\}[0-9][^[:space:]]*'
    # Of other secrets a log tells more often how it went with them than what they are.
    case $word in '[Pp][Aa]'*) some='\{1,\}' ;; esac
    CALIVET_HIDE="$CALIVET_HIDE
/$word/{
/^[[:space:]\"'-]*$1$is\(!![a-z]*[[:space:]]*\)\{0,1\}\([|>][-+0-9]*\)\{0,1\}[[:space:]]*\$/{
x
s/.*/below/
x
b end
}
s/\($1$is\)$quoted/\1\"<hidden>\"/g
s/\($1$is\)$single/\1'<hidden>'/g
s/^\([[:space:]\"'-]*$1$is\)[^\"'[:space:]].*/\1<hidden>/
s/^\([[:space:]\"'-]*$1$is\)[\"'][^\"']*\$/\1<hidden>/
s/\(--[a-z-]*${word}[a-z-]*[= ]\)[^[:space:]]*/\1<hidden>/g
s/\($1=\)[^[:space:]\"'<]\{1,\}[^[:space:]]*/\1<hidden>/g
s/\($1:[[:space:]]\{1,\}\)[^[:space:]\"'<]$some/\1<hidden>/g
s/\($1:[[:space:]]\{1,\}\)[^[:space:]\"'<]\{0,4\}[0-9][^[:space:]]\{4,\}/\1<hidden>/g
}"
}

# --- what is here ---------------------------------------------------------------------------------------------------

is_plain() { # WORD: neither an option nor anything that a shell, a terminal or a path could act on
    case $1 in '' | -* | *[!A-Za-z0-9_./:@%+,=-]* | *..*) return 1 ;; esac
}

is_path() { # WORD
    case $1 in /*) is_plain "$1" ;; *) return 1 ;; esac
}

is_port() { # WORD
    case $1 in '' | 0* | *[!0-9]* | ??????*) return 1 ;; esac
    [ "$1" -le 65535 ]
}

is_roots() { # PATH: root's, and nobody else may write to it
    # shellcheck disable=SC2012 # only the first words are read
    case $(ls -lndL -- "$1" 2>/dev/null | { read -r mode _ owner group _ && echo "$owner $group $mode"; }) in
    '0 '*' '????????w*) return 1 ;;
    '0 0 '* | '0 '*' '?????-*) return 0 ;;
    esac
    return 1
}

is_roots_way() { # PATH [ROOT]: root's all the way down to it, inside this other root
    way=$1
    while [ "$way" ]; do
        is_roots "${2:-}$way" || return
        way=${way%/*}
    done
    is_roots "${2:-}/"
}

is_roots_file() { # PATH that somebody has named: plain, and wherever it leads nobody but root can have put it there
    is_path "$1" || return
    real=$(readlink -f "$1" 2>/dev/null) && is_path "$real" && [ -e "$real" ] && is_roots_way "$real"
}

is_calicos() { # PID: it runs in a container of a pod of Calico's, as kubelet has written down
    for group in $(quietly cat "/proc/$1/cgroup" | tr '/:' '  '); do
        case $group in pod* | *-pod*) ;; *) continue ;; esac
        uid=${group##*pod}
        uid=$(echo "${uid%.slice}" | tr _ -)
        is_plain "$uid" || continue
        for log in /var/log/pods/*_"$uid"; do
            case ${log##*/} in
            kube-system_calico-* | calico-system_calico-* | kube-system_*canal-*) [ -d "$log" ] && is_roots "$log" && return ;;
            esac
        done
    done
    return 1
}

is_believed() { # PID NAME: its program lies where only root can have put it, here or in a container of Calico's
    exe=$(readlink "/proc/$1/exe" 2>/dev/null) || return
    # It goes on running when its file has been replaced.
    exe=${exe%' (deleted)'}
    is_path "$exe" || return
    # Under another name it is another program: one that anybody may start as root, perhaps.
    case $2/${exe##*/} in "$2/$2" | kubelet/hyperkube | k3s-*/k3s | calico-felix/calico-node) ;; *) return 1 ;; esac
    case $(readlink "/proc/$1/ns/mnt" 2>/dev/null) in
    '') return 1 ;;
    "$own_files" | "$first_files") ;;
    *) is_calicos "$1" || return ;;
    esac
    is_roots "/proc/$1/exe" && is_roots_way "${exe%/*}" "/proc/$1/root"
}

is_of_root() { # PID: it was started by root, not only with root's rights
    while read -r key real effective saved _; do
        case $key in Uid:) [ "$real/$effective/$saved" = 0/0/0 ] && return ;; esac
    done 2>/dev/null <"/proc/$1/status"
    return 1
}

find_processes() { # PID:NAME of the programs that matter; their names are read without yet another process
    own=$(readlink /proc/self/ns/net)
    own_files=$(readlink /proc/self/ns/mnt) first_files=$(readlink /proc/1/ns/mnt 2>/dev/null)
    for entry in /proc/[0-9]*; do
        { read -r name <"$entry/comm"; } 2>/dev/null || continue
        case $name in
        kubelet | kubelite | k3s-server | k3s-agent | containerd | dockerd | cri-dockerd | crio | kube-proxy | \
            calico-node | calico-felix | calico-typha | confd | bird | bird6)
            # In a network of its own it belongs to some container. Only root is told whose network it has.
            network=$(readlink "$entry/ns/net" 2>/dev/null)
            [ "${network:-$own}" = "$own" ] || continue
            pid=${entry#/proc/}
            # Typha is nobody in particular; of it nothing is asked but whether it is there.
            [ "$name" = calico-typha ] || is_of_root "$pid" 2>/dev/null || continue
            processes="$processes $pid:$name"
            ! is_believed "$pid" "$name" || believed="$believed $pid:$name"
            ;;
        esac
    done
}

pids_of() { # NAME...: of those that are there
    pids_in "$processes" "$@"
}

believed_pids_of() { # NAME...: of those whose words count
    pids_in "$believed" "$@"
}

pids_in() { # PROCESSES NAME...
    among=$1
    shift
    for wanted do
        for process in $among; do
            [ "${process#*:}" != "$wanted" ] || echo "${process%%:*}"
        done
    done
}

option() { # NAME LINE: its value in a command line, written --name=value or --name value
    set -f
    before=
    for word in $2; do
        case $word in *"$1="*) before=$1 word=${word#*"$1="} ;; esac
        [ "$before" != "$1" ] || { echo "${word%\"}" && return; }
        before=$word
    done
}

variable() { # NAME: its value in the environment of calico-node
    set -f
    for pid in $(believed_pids_of calico-node calico-felix); do
        for word in $(quietly cat "/proc/$pid/environ"); do
            case $word in "$1="*) echo "${word#*=}" && return ;; esac
        done
    done
}

find_kubelet() { # its files, and the socket of its runtime
    line=$(quietly cat /var/lib/kubelet/kubeadm-flags.env)
    for pid in $(believed_pids_of kubelet kubelite); do
        line="$(quietly cat "/proc/$pid/cmdline") $line"
    done
    # Whatever it was told, a file that is of another kind is none of its.
    kubelet_config=$(option --config "$line")
    is_roots_file "$kubelet_config" && is_kind KubeletConfiguration "$kubelet_config" || kubelet_config=
    kubeconfig=$(option --kubeconfig "$line")
    is_roots_file "$kubeconfig" && is_kind Config "$kubeconfig" || kubeconfig=
    for file in /etc/kubernetes/kubelet.conf /var/lib/kubelet/kubeconfig \
        /var/lib/rancher/rke2/agent/kubelet.kubeconfig /var/lib/rancher/k3s/agent/kubelet.kubeconfig \
        /var/snap/microk8s/current/credentials/kubelet.config; do
        [ "$kubeconfig" ] || { there "$file" && kubeconfig=$file; }
    done
    runtime_socket=$(option --container-runtime-endpoint "$line")
    runtime_socket=${runtime_socket#unix://}
    is_roots_file "$runtime_socket" && [ -S "$runtime_socket" ] || runtime_socket=
    for socket in /run/containerd/containerd.sock /run/k3s/containerd/containerd.sock /run/crio/crio.sock \
        /run/cri-dockerd.sock /var/snap/microk8s/common/run/containerd.sock; do
        [ "$runtime_socket" ] || { [ -S "$socket" ] && runtime_socket=$socket; }
    done
}

is_kind() { # KIND FILE: a file of Kubernetes' of this kind
    [ "$(quietly grep -m 1 -cE "^[[:space:]]*[\"']?kind[\"']?[[:space:]]*:[[:space:]]*[\"']?$1[\"']?[[:space:]]*,?[[:space:]]*\$" "$2")" = 1 ]
}

find_units() { # which of the units this machine has
    has systemctl && [ -d /run/systemd/system ] || return
    set --
    for name in $KUBELETS $RUNTIMES $NEIGHBOURS; do
        set -- "$@" "$name.service"
    done
    for word in $(quietly systemctl list-unit-files --no-legend --no-pager "$@"); do
        case " $KUBELETS $RUNTIMES $NEIGHBOURS " in *" ${word%.service} "*) units="$units ${word%.service}" ;; esac
    done
}

# --- the sections ---------------------------------------------------------------------------------------------------

machine() {
    ask uname -a
    ask cat /etc/os-release
    ask date -u
    ask date -Is
    # Clones share these numbers. That they are the same shows in their sums too, and the numbers are nobody's business.
    for file in /etc/machine-id /sys/class/dmi/id/product_uuid; do
        [ ! -s "$file" ] || ask sha256sum "$file"
    done
    ask uptime
    ask nproc
    ask cat /proc/loadavg
    ask cat /proc/meminfo
    ask cat /proc/swaps
    [ ! -e /etc/fstab ] || ask grep -w swap /etc/fstab
    for resource in cpu memory io; do
        [ ! -e "/proc/pressure/$resource" ] || ask cat "/proc/pressure/$resource"
    done
    # A file system that hangs must not hide the others.
    ask df -h || [ $? != 124 ] || ask df -hl
    ask df -i || [ $? != 124 ] || ask df -il
    ask grep -E ' (/|/(boot|etc|opt|run|usr|var)|/var/lib(/(calico|containerd|docker|kubelet))?|/sys/fs/[a-z]+) ' /proc/mounts
    ask grep -m 2 -E '^(model name|flags|Features)' /proc/cpuinfo
    ask grep -oE '(ipv6\.disable|systemd\.[a-z_]*cgroup[a-z_]*|cgroup[a-z_.]*|lsm|selinux|apparmor)=[^ ]*' /proc/cmdline
    ask getenforce
    if has journalctl && [ -d /run/systemd/system ]; then
        last private patiently ask journalctl -k --since=-24h -n "$MOST_LINES" --no-pager -o short-iso
    else
        last private ask dmesg -T
    fi
}

kernel_settings() {
    # shellcheck disable=SC2086 # a list of names
    if has sysctl; then
        ask sysctl -e $SYSCTLS
    else
        set --
        for key in $SYSCTLS; do
            set -- "$@" "/proc/sys/$(echo "$key" | tr . /)"
        done
        ask grep -s . "$@"
    fi
    shown='grep -s . /proc/sys/net/ipv4/conf/*/rp_filter'
    ask grep -s . /proc/sys/net/ipv4/conf/*/rp_filter
    ask cat /proc/modules
    # Without the kernel's list of modules every name would be reported missing, also those that are built in.
    [ -e "/lib/modules/$(uname -r)/modules.dep" ] || return
    # shellcheck disable=SC2086
    ask modprobe -n -v -a $MODULES
    # Rules are kept in the one or in the other; only a kernel that has neither lacks anything.
    pipe 'modprobe -n -v ip_tables 2>/dev/null || modprobe -n -v -a nf_tables nft_compat'
}

daemons() {
    # shellcheck disable=SC2086
    if [ "$units" ]; then
        ask systemctl show -p Id -p LoadState -p ActiveState -p SubState -p Result -p UnitFileState -p NRestarts \
            -p ExecMainStatus -p ActiveEnterTimestamp $units
    else
        ask systemctl is-system-running
    fi
    for unit in $units; do
        case " $KUBELETS $RUNTIMES " in *" $unit "*) daemon "$unit" ;; esac
    done
    for log in /var/log/kubelet.log /var/log/kubelet/kubelet.log /var/log/containerd.log /var/log/containerd/containerd.log \
        /var/log/docker.log /var/log/crio.log /var/log/k3s.log; do
        [ ! -e "$log" ] || last private ask tail -n "$MOST_LINES" "$log"
    done
    ask ps axc
    for process in $processes; do
        private ask cat "/proc/${process%%:*}/cmdline"
    done
}

daemon() { # UNIT
    private ask systemctl cat --no-pager "$1"
    # shellcheck disable=SC2016 # the other shell expands it
    private pipe 'systemctl show "$1" -p Environment | grep -oiE "(https?|no|all)_proxy=[^ \"]*"' "$1"
    last private patiently ask journalctl -u "$1" --since=-24h -n "$MOST_LINES" --no-pager -o short-iso
}

kubelet() {
    print "${kubelet_config:-/var/lib/kubelet/config.yaml}" /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet \
        /etc/sysconfig/kubelet /var/snap/microk8s/current/args/kubelet \
        /var/lib/rancher/*/agent/etc/kubelet.conf.d/*.conf
    for file in /etc/rancher/*/config.yaml; do
        [ ! -e "$file" ] || private ask grep -E '^(cni|node-ip|node-name|cluster-cidr|service-cidr|kubelet-arg|disable)' "$file"
    done
    [ ! "$(pids_of kubelet kubelite k3s-server k3s-agent)" ] || health 10248 /healthz
}

runtime() {
    print /etc/containerd/config.toml /etc/containerd/conf.d/*.toml /var/lib/rancher/*/agent/etc/containerd/config.toml \
        /var/snap/microk8s/current/args/containerd.toml /etc/k0s/containerd.toml /etc/docker/daemon.json \
        /etc/crio/crio.conf /etc/crio/crio.conf.d/*.conf /etc/crictl.yaml
    private ask containerd config dump
    private ask crio config
    if [ "$runtime_socket" ]; then
        CONTAINER_RUNTIME_ENDPOINT=unix://$runtime_socket CONTAINERD_ADDRESS=$runtime_socket
        export CONTAINER_RUNTIME_ENDPOINT CONTAINERD_ADDRESS
        ask crictl version
        private ask crictl info
        ask crictl ps -a
        ask crictl pods
        case $runtime_socket in *containerd.sock) ask ctr version ;; esac
    fi
    if [ -S /run/docker.sock ] || [ -S /var/run/docker.sock ] || [ "$(pids_of dockerd)" ]; then
        ask docker version
        private ask docker info
        ask docker ps -a
    fi
}

network() {
    if has ip; then
        ask ip addr
        ask ip route show table all
        ask ip rule
        ask ip -6 rule
        ask ip neigh
        ask ip -d link show type vxlan
        [ ! -e /sys/class/net/vxlan.calico ] || ask bridge fdb show dev vxlan.calico
        [ ! -e /sys/class/net/vxlan.calico ] || ask ethtool -k vxlan.calico
    else
        ask ifconfig -a
        ask route -n
    fi
    if has ss; then
        ask ss -lntup
        ask ss -tanp '( sport = :179 or dport = :179 or dport = :5473 or dport = :6443 )'
    else
        ask netstat -lntup
    fi
    counters
    counted=$clock
    print /etc/hosts /etc/resolv.conf
    ask getent hosts localhost
    ask nmcli -f DEVICE,TYPE,STATE,CONNECTION device
    ask networkctl list --no-pager
    [ ! -e /etc/NetworkManager ] ||
        ask grep -rs unmanaged-devices /etc/NetworkManager /run/NetworkManager /usr/lib/NetworkManager
}

counters() { # newer kernels do not log the segments that they drop over a BGP password; they only count them
    if has nstat; then
        ask nstat -asz 'TcpExtTCPMD5*' TcpExtIPReversePathFilter
    else
        ask grep ^TcpExt: /proc/net/netstat
    fi
}

counters_again() { # a figure counts since the machine started: only what is added to it is of today
    for word in $(quietly nstat -asz 'TcpExtTCPMD5*' TcpExtIPReversePathFilter); do
        case $word in
        0 | 0.0 | *[!0-9]*) ;;
        *)
            now
            pause=$((PAUSE - (clock - counted) / 100))
            [ "$pause" -le 0 ] || sleep "$pause"
            break
            ;;
        esac
    done
    counters
}

firewall() {
    ask firewall-cmd --state && ask firewall-cmd --list-all
    ask ufw status verbose
    ask iptables --version
    # No table is named, so none comes to be by looking; the rules of single services and pods are left out.
    for program in iptables-save iptables-legacy-save iptables-nft-save ip6tables-save; do
        # shellcheck disable=SC2016
        pipe "$program"' -c | sed -e "/default.kubernetes:https/b" -e "/KUBE-...-[A-Z0-9]\{16\}/d" -e "/cali-[tf]w-/d;/cali-p[ior]/d"'
    done
    # Of those rules only figures: how many pods there are, how many of them policies restrict, and rules that allow.
    pipe 'iptables-save | sed -nE "s/^:cali-fw-.*/workloads/p;s/^-A cali-fw-.*Drop if no policies passed packet.*/restricted/p;s/^-A cali-po-.* -j MARK .*/allowing/p" | sort | uniq -c'
    ask nft list ruleset
    ask ipset --version
    ask ipset list -n
    # The pools, as Felix has them: the only place of a node that tells.
    for set in $(quietly ipset list -n); do
        case $set in cali[46]0all-ipam-pools) ask ipset list "$set" ;; esac
    done
}

clock_and_certificates() {
    ask timedatectl
    ask chronyc -n tracking
    ask ntpq -pn
    count=0
    for file in /var/lib/kubelet/pki/*.crt /var/lib/kubelet/pki/*.pem /etc/kubernetes/pki/*.crt \
        /etc/kubernetes/pki/etcd/*.crt /var/lib/rancher/*/agent/*.crt /var/lib/rancher/*/server/tls/*.crt \
        /var/snap/microk8s/current/certs/*.crt /var/lib/k0s/pki/*.crt; do
        # kubelet's current certificate is a link to one of the dated files beside it.
        case $file in *'*'* | */kubelet-client-20* | */kubelet-server-20*) continue ;; esac
        count=$((count + 1))
        [ "$count" -gt "$MOST_CERTIFICATES" ] || ask openssl x509 -noout -subject -dates -in "$file"
    done
}

calico() {
    for directory in /etc/cni/net.d /var/lib/rancher/k3s/agent/etc/cni/net.d /var/snap/microk8s/current/args/cni-network; do
        list "$directory"
        print "$directory"/*.conf "$directory"/*.conflist "$directory"/*.json
    done
    list /opt/cni/bin /usr/libexec/cni /var/lib/rancher/k3s/data/current/bin /var/snap/microk8s/current/opt/cni/bin \
        /var/lib/calico /var/run/calico /var/lib/cni/networks/k8s-pod-network
    print /var/lib/calico/nodename /var/lib/calico/mtu
    # shellcheck disable=SC2086 # words are wanted
    for pid in $(believed_pids_of calico-node calico-felix); do
        # shellcheck disable=SC2016
        private pipe 'tr "\000" "\n" </proc/"$1"/environ | grep -E "^('"$(echo $VARIABLES | tr ' ' '|')"')="' "$pid"
        break
    done
    if [ "$(pids_of calico-node calico-felix)" ]; then
        port=$(variable FELIX_HEALTHPORT)
        is_port "$port" || port=9099
        health "$port" /readiness
        health "$port" /liveness
    fi
    [ ! "$(pids_of calico-typha)" ] || health 9098 /readiness
    bird
    for file in /var/log/pods/*_calico-node-*/*/[0-9]*.log /var/log/pods/*canal-*/*/[0-9]*.log /var/log/calico/cni/cni.log; do
        [ ! -e "$file" ] || last private ask tail -n 500 "$file"
    done
}

health() { # PORT PATH: asks a program on this machine how it is; whoever answers cannot send us elsewhere
    if has curl; then
        private ask curl -sS -i -m "$LIMIT" "http://127.0.0.1:$1$2"
    elif has wget && ! has bash; then
        private ask wget -q -S --max-redirect=0 -T "$LIMIT" -O - "http://127.0.0.1:$1$2"
    else
        shown="bash -c 'exec 3<>/dev/tcp/127.0.0.1/$1; echo GET $2 >&3; cat <&3'"
        # shellcheck disable=SC2016
        private ask bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"; printf "GET %s HTTP/1.0\r\n\r\n" "$2" >&3; cat <&3' bash "$1" "$2"
    fi
}

bird() {
    set -- /var/run/calico/bird.ctl /var/run/calico/bird6.ctl /var/snap/microk8s/current/var/run/calico/bird.ctl
    for pid in $(believed_pids_of bird bird6); do
        set -- "$@" "$(option -s "$(quietly cat "/proc/$pid/cmdline")")"
        for name in bird bird6; do
            ! is_within "$pid" "$CONFD/$name.cfg" ||
                private ask grep -E '^ *(router id|local as|neighbor|source address|passive|protocol bgp)' "/proc/$pid/root$CONFD/$name.cfg"
        done
    done
    asked=' '
    for socket do
        case $asked in *" $socket "*) ;; *) ! is_roots_file "$socket" || [ ! -S "$socket" ] || ask_bird "$socket" ;; esac
        asked="$asked$socket "
    done
}

is_within() { # PID PATH: a file of the process's own root; a link could lead out of it, to any file of this machine
    way=$2
    while [ "$way" ]; do
        [ ! -L "/proc/$1/root$way" ] || return
        way=${way%/*}
    done
    [ -f "/proc/$1/root$2" ]
}

ask_bird() { # SOCKET
    # shellcheck disable=SC2016
    if has birdc && ! has birdcl; then
        ask birdc -r -s "$1" show protocols all
    elif has socat && ! has birdcl; then
        pipe 'echo show protocols | socat -t 2 - UNIX-CONNECT:"$1"' "$1"
    elif has nc && ! has birdcl; then
        pipe 'echo show protocols | nc -w 1 -U "$1"' "$1"
    elif has curl && ! has birdcl; then
        pipe 'echo show protocols | curl -sS -m 1 --unix-socket "$1" telnet://localhost' "$1"
    else
        ask birdcl -r -s "$1" show protocols all
    fi
}

# --- who can be reached ---------------------------------------------------------------------------------------------

reachability() {
    set -f
    if [ "$kubeconfig" ]; then
        private ask grep -E '^ *server:' "$kubeconfig"
        for word in $(quietly grep -E '^ *server:' "$kubeconfig"); do
            case $word in *://*) word=${word#*://} && apis="$apis ${word%%[/\"]*}" ;; esac
        done
    fi
    # The address of a service is private, and never a name: no variable sends us anywhere else.
    address=$(variable KUBERNETES_SERVICE_HOST)
    case $address in
    *[!0-9A-Fa-f.:]*) ;;
    10.* | 172.1[6-9].* | 172.2?.* | 172.3[01].* | 192.168.* | 100.6[4-9].* | 100.[7-9]?.* | f[cd]*:*) services="$services $address:443" ;;
    esac
    typhas="$typhas $(far_ends roots 'dport = :5473')"
    for end in $(far_ends all state established '( sport = :179 or dport = :179 )'); do
        up="$up${end%:*} "
    done
    for pid in $(believed_pids_of bird bird6); do
        ! is_within "$pid" "$CONFD/bird.cfg" || find_neighbours "/proc/$pid/root$CONFD/bird.cfg"
    done
    before=
    for word in $(quietly bridge fdb show dev vxlan.calico); do
        [ "$before" != dst ] || nodes="$nodes $word"
        before=$word
    done
    before=
    for word in $(quietly ip route show proto bird); do
        [ "$before" != via ] || peers="$peers $word"
        before=$word
    done
    reach_all
    set +f
}

find_neighbours() { # FILE of BIRD: its peers; those of its own AS are nodes, others may be routers
    before='' address='' own=''
    for word in $(quietly grep -hoE '(neighbor [0-9a-fA-F.:]+( port [0-9]+)?|local)( as [0-9]+)?' "$1"); do
        case $before in
        local) address='' ;;
        neighbor) address=$word peers="$peers $word" ;;
        as)
            [ "$address" ] || own=$word
            [ "$word" != "$own" ] || nodes="$nodes $address"
            ;;
        esac
        before=$word
    done
}

far_ends() { # roots|all FILTER...: the other ends of connections; anybody can have some of his own
    whose=$1
    shift
    quietly ss -tane "$@" | while read -r line; do
        case $whose/$line in roots/*' uid:'*) continue ;; esac
        before=
        for word in $line; do
            case $before in *:*) case $word in *:[0-9]*) echo "$word" && break ;; esac ;; esac
            before=$word
        done
    done
}

reach_all() { # all at once: forty that do not answer cost no more than one
    seen=' ' count=0
    for target in $apis $services $typhas; do
        case $target in *:*) ;; *) target=$target:443 ;; esac
        reach "${target%:*}" "${target##*:}"
    done
    # To BIRD a second connection is a peer that has restarted: it would drop the session that is up. So only those
    # without one are tried, and nobody where that cannot be seen.
    has ss || peers=
    for peer in $peers; do
        case $up in *" $peer "* | *" [$peer] "*) ;; *) reach "$peer" 179 ;; esac
    done
    size_all
    wait
}

reach() { # HOST PORT
    host=${1#[} port=$2
    host=${host%]}
    case $seen in *" $host $port "*) return ;; esac
    case $host in -* | *[!A-Za-z0-9.:_-]* | '') return ;; esac
    is_port "$port" || return
    seen="$seen$host $port " count=$((count + 1))
    [ "$count" -le "$MOST_TARGETS" ] || return
    sections=$((sections + 1))
    aside test_port &
}

aside() { # COMMAND...: prints its section at once, so that those of others do not run into it
    block=$(exec 4>&1 && "$@")
    printf '%s\n' "$block"
}

test_port() {
    if has bash; then
        shown="bash -c '</dev/tcp/$host/$port'"
        # shellcheck disable=SC2016
        briefly ask bash -c ': <"/dev/tcp/$1/$2"' bash "$host" "$port"
    else
        briefly ask nc -zv "$host" "$port"
    fi
}

size_all() { # whether packets of full size reach other nodes
    # No other ping can forbid that they are sent in fragments.
    case $(quietly ping -V) in *iputils*) ;; *) return ;; esac
    case " $silent " in *' ip '*) return ;; esac
    sized=' ' count=0
    for address in $nodes; do
        size "$address"
    done
    for target in $apis; do
        size "${target%:*}" near
    done
}

size() { # ADDRESS [near]: near, because what lies behind a router need not take what the card takes
    address=${1#[} before='' device='' routed='' most=''
    address=${address%]}
    case $address in *[!0-9A-Fa-f.:]* | '') return ;; esac
    case $sized in *" $address "*) return ;; esac
    [ "$count" -lt "$MOST_PATHS" ] || return
    for word in $(quietly ip route get "$address"); do
        # Behind `expires` stands what the kernel has learned of the way, and that is for the test to show.
        case $word in lock) continue ;; expires) break ;; esac
        case $before in dev) device=$word ;; via) routed=yes ;; mtu) most=$word ;; esac
        before=$word
    done
    case $routed/${2:-}/$device in yes/near/* | */lo | */) return ;; esac
    find_size
    case $most in *[!0-9]* | '') return ;; esac
    sized="$sized$address " count=$((count + 1)) sections=$((sections + 1))
    case $address in *:*) most=$((most - 48)) ;; *) most=$((most - 28)) ;; esac
    # Only of one that answers at all is silence to a large packet worth a word.
    # shellcheck disable=SC2016
    aside briefly pipe 'ping -c 1 -W 1 "$1" >/dev/null 2>&1 && { '\
'ping -c 3 -i 0.2 -W 1 -M do -s "$2" "$1" || ping -c 1 -W 1 "$1"; }' "$address" "$most" &
}

find_size() { # the route's own limit, else what the card takes, or less where Calico never sends so much
    [ ! "$most" ] || return
    { read -r most <"/sys/class/net/$device/mtu"; } 2>/dev/null || return
    wrapped=0
    for tunnel in $TUNNELS; do
        place=/sys/class/net/${tunnel%:*}
        { read -r state <"$place/operstate" && read -r inner <"$place/mtu"; } 2>/dev/null || continue
        [ "$state" = down ] || [ $((inner + ${tunnel#*:})) -le "$wrapped" ] || wrapped=$((inner + ${tunnel#*:}))
    done
    [ "$wrapped" = 0 ] || [ "$wrapped" -gt "$most" ] || most=$wrapped
}

# --- the whole ------------------------------------------------------------------------------------------------------

arguments() {
    while [ $# -gt 1 ]; do
        case $1 in
        --peer) peers="$peers $2" nodes="$nodes $2" ;;
        --api) apis="$apis $2" ;;
        --service) services="$services $2" ;;
        --typha) typhas="$typhas $2" ;;
        --limit) LIMIT=$2 ;;
        --total) TOTAL=$2 ;;
        --path) PLACES=$2 PATH=$2 ;;
        *) break ;;
        esac
        shift 2
    done
    [ $# = 0 ] || { echo "probe: cannot use '$1'; the head of this script says what it takes" >&2 && exit 64; }
    case $LIMIT/$TOTAL in
    0* | *[!0-9/]* | */0?* | */) echo 'probe: --limit and --total take whole seconds' >&2 && exit 64 ;;
    esac
}

main() {
    peers='' nodes='' apis='' services='' typhas='' up=' '
    arguments "$@"
    # A dot in PATH means a folder that root alone can write to.
    cd / || exit 1
    [ "${PATH:-}" = "$PLACES" ] || PATH=${PATH:+$PATH:}$PLACES
    CALIVET_BYTES=$MOST_BYTES CALIVET_KEEP='head' CALIVET_HIDE='' LC_ALL=C
    # Whom we ask over HTTP is on this machine.
    no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
    export PATH LC_ALL CALIVET_BYTES CALIVET_KEEP CALIVET_HIDE no_proxy NO_PROXY
    unset LANGUAGE
    exec 4>&1
    limit=$LIMIT sections=0 silent='' must_hide='' shown='' processes='' believed='' units='' has_timeout=''
    timeout -k 1 1 true 2>/dev/null && has_timeout=yes
    now
    start=$clock counted=$clock
    node=$(uname -n) user=$(id -un 2>/dev/null || id -u)
    prompt="[$user@$node ~]\$"
    [ "$(id -u)" != 0 ] || prompt="[$user@$node ~]#"
    # It is never an argument or in the environment of a program, where others could read it.
    read -r mark 2>/dev/null </proc/sys/kernel/random/uuid || mark=$$-$start
    mark="#:${mark%%-*}${mark##*-}"
    hide
    echo "# calivet-probe $FORMAT host=$node user=$user time=$(date -u +%Y-%m-%dT%H:%M:%SZ) $mark"
    find_processes
    find_kubelet
    find_units
    for part in machine kernel_settings daemons kubelet runtime network firewall clock_and_certificates calico reachability \
        counters_again; do
        "$part"
    done
    now
    echo "# calivet-probe end sections=$sections seconds=$(((clock - start) / 100)).$(((clock - start) / 10 % 10)) $mark"
}

main "$@"
