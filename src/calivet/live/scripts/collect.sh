#!/bin/sh
# Collects, with kubectl alone, what calivet needs to tell why Calico does not work.
#
#   sh collect.sh [FILE.tar.gz]                        KUBECTL="kubectl --context prod" sh collect.sh
#
# It only reads: get, logs and version. Secrets are never asked for, and passwords, tokens and keys that stand in
# settings and logs are blotted out where sed can tell them; look through the folder before you give it away.
# On another machine: calivet diagnose FILE.tar.gz
set -uf
umask 077
# Of PATH only what cannot be the current folder.
path='' IFS=:
for entry in $PATH; do
  case $entry in /*) path=$path:$entry ;; esac
done
unset IFS
PATH=${path#:}
# What Calico and its operator are asked for, in these API groups, and the only ConfigMaps that are read.
resources="@RESOURCES@"
groups="@GROUPS@"
maps="@CONFIG_MAPS@"
kubectl=${KUBECTL:-kubectl}
file=${1:-calivet-$(date -u +%Y%m%d-%H%M%S).tar.gz}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
name=$(basename "$file" .tar.gz)
mkdir "$work/$name" || exit 1
started=$(date -u +%Y-%m-%dT%H:%M:%S+00:00)

if [ -e "$file" ]; then
  echo "collect.sh: $file is there already" >&2
  exit 1
fi

# Names that end so say that a secret follows: quoted, to the end of its line, or up to a blank.
words='[Pp]ass(w(or)?d|phrase|code)|PASS(W(OR)?D|PHRASE|CODE)|[_-](pass|PASS)|SSHPASS|DBPASS|[Pp]wd|PWD|[Tt]oken|TOKEN'
words="$words|[Ss]ecret|SECRET|[Cc]redentials?|CREDENTIALS?|[Kk]ey[_-]?[Dd]ata|密码|密碼|口令|令牌|密钥"
words="$words|([Aa]pi|API|[Aa]ccess|ACCESS|[Pp]rivate|PRIVATE|[Ss]hared|SHARED)[_-]?([Kk]ey|KEY)"
is='[[:space:]]*(:|=|：)[[:space:]]*'

# Without what follows the name of a secret, and without private keys.
blot_out() {
  sed -E \
    -e '/-----BEGIN [A-Z ]*PRIVATE KEY-----/,/-----END [A-Z ]*PRIVATE KEY-----/d' \
    -e "s/(($words)\\\\\"[[:space:]]*:[[:space:]]*\\\\\")([^\"\\\\]|\\\\[^\"])+/\1<redacted-password-1>/g" \
    -e "s/(($words)\"?$is\")([^\"\\\\]|\\\\.)+/\1<redacted-password-1>/g" \
    -e "s/(($words)'?$is')[^']+/\1<redacted-password-1>/g" \
    -e "s/^([[:space:]-]*[A-Za-z0-9_.-]*($words)$is)[^[:space:]\"'<].{3,}\$/\1<redacted-password-1>/" \
    -e "s/(($words)\"?$is\"?)[^[:space:]\",<]{4,}/\1<redacted-password-1>/g" \
    -e "s/(\"name\": ?\"[A-Za-z0-9_.-]*($words)\", ?\"value\": ?\")[^\"]+/\1<redacted-password-1>/g" \
    -e "/[Nn]ame\"?: *\"?[A-Za-z0-9_.-]*($words)[A-Za-z0-9_.-]*\"?,?\$/{n;s/([Vv]alue\"?: *).*/\1<redacted-password-1>/;}" \
    -e 's/([Aa]uthorization"?: *"?[A-Za-z]+ )[^[:space:]"]{8,}/\1<redacted-authorization-1>/g' \
    -e 's/([Bb]earer[[:space:]]+)[A-Za-z0-9._~+\/=-]{8,}/\1<redacted-token-1>/g' \
    -e 's/eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9._-]+/<redacted-token-1>/g' \
    -e 's#(://[^/:@[:space:]]+:)[^/@[:space:]]+@#\1<redacted-password-1>@#g'
}

# keep DOCUMENT ARGUMENTS... - what kubectl prints for them, below the command itself.
keep() {
  document=$work/$name/$1
  shift
  mkdir -p "$(dirname "$document")"
  if $kubectl "$@" >"$work/out" 2>"$work/err"; then
    { echo "\$ kubectl $*"; if [ -s "$work/out" ]; then cat "$work/out"; else cat "$work/err"; fi; } |
      blot_out >"$document"
  else
    { echo "\$ kubectl $*"; cat "$work/err"; } | blot_out >>"$work/$name/not-read.txt"
  fi
}

# What the API server calls things becomes names of files and words of commands: only what is a name, one on a line.
plain_names() {
  tr -s ' ' '\n' | grep -xE '[A-Za-z0-9][A-Za-z0-9._-]{0,252}'
}

# pods_of NAMESPACE - its pods with what tells whether each is well: name, ready of its containers, restarts.
pods_of() {
  $kubectl get pods -n "$1" --no-headers 2>/dev/null
}

echo "collect.sh: nodes and pods" >&2
keep version.txt version
keep readyz.txt get --raw '/readyz?verbose'
keep nodes.txt get nodes -o wide
keep nodes-labels.txt get nodes --show-labels
calico='.metadata.annotations.projectcalico\.org'
keep nodes-calico.txt get nodes -o "custom-columns=NAME:.metadata.name,IPV4:$calico/IPv4Address,IPV6:$calico/IPv6Address,IPIP:$calico/IPv4IPIPTunnelAddr,VXLAN:$calico/IPv4VXLANTunnelAddr,AS:$calico/ASNumber"
for node in $($kubectl get nodes --no-headers 2>/dev/null | awk '$2 != "Ready" {print $1}' | plain_names | head -n 8); do
  keep "nodes/$node.yaml" get nodes "$node" -o yaml
done
keep events/nodes.txt get events -n default --field-selector involvedObject.kind=Node -o wide
keep pods.txt get pods -A -o wide
for resource in daemonsets deployments services endpoints; do
  keep "$resource.txt" get "$resource" -A -o wide
done

echo "collect.sh: Calico's resources" >&2
for group in $groups; do
  $kubectl api-resources --api-group="$group" -o name >"$work/served" 2>/dev/null || continue
  [ -s "$work/served" ] || continue
  { echo "\$ kubectl api-resources --api-group=$group -o name"; cat "$work/served"; } >"$work/resources"
  mkdir -p "$work/$name/api-resources"
  cp "$work/resources" "$work/$name/api-resources/$group.txt"
  for resource in $resources; do
    # Where two groups serve it, the first is where Calico keeps it.
    if [ ! -e "$work/$name/calico/$resource.yaml" ] && grep -q "^$resource\." "$work/served"; then
      keep "calico/$resource.yaml" get "$resource.$group" -o yaml
    fi
  done
  if grep -q '^blockaffinities\.' "$work/served" && [ ! -e "$work/$name/calico/blockaffinities.txt" ]; then
    keep calico/blockaffinities.txt get "blockaffinities.$group" -o \
      'custom-columns=NAME:.metadata.name,NODE:.spec.node,STATE:.spec.state,CIDR:.spec.cidr,DELETED:.spec.deleted'
  fi
done

namespaces=$($kubectl get daemonsets -A --no-headers 2>/dev/null | awk '$2 ~ /calico|canal/ {print $1}' | plain_names | sort -u)
for namespace in $(printf '%s\n' kube-system "$namespaces" | sort -u); do
  echo "collect.sh: $namespace" >&2
  keep "events/$namespace.txt" get events -n "$namespace" -o wide
  for map in $maps; do
    if $kubectl get configmaps -n "$namespace" "$map" >/dev/null 2>&1; then
      keep "configmaps/$namespace/$map.yaml" get configmaps -n "$namespace" "$map" -o yaml
    fi
  done
  for set in $($kubectl get daemonsets -n "$namespace" --no-headers 2>/dev/null |
    awk '$1 ~ /calico-node|canal|kube-proxy/ {print $1}' | plain_names); do
    keep "daemonsets/$namespace/$set.yaml" get daemonsets -n "$namespace" "$set" -o yaml
  done
  # The logs of what is not well, and of one calico-node that is, to compare.
  well=0
  for row in $(pods_of "$namespace" | awk '$1 ~ /calico|canal|typha|kube-proxy|coredns|tigera|etcd|kube-apiserver/ {
      split($2, ready, "/"); sick = ready[1] != ready[2] || $3 !~ /Running|Completed/ || $4 + 0 > 3
      if ($1 ~ /^[A-Za-z0-9][A-Za-z0-9._-]*$/) print (sick ? "sick," : "well,") $1 "," int($4)}' | sort | head -n 40); do
    state=${row%%,*} rest=${row#*,}
    pod=${rest%,*} restarts=${rest##*,}
    if [ "$state" = well ]; then
      case $pod in calico-node-* | canal-*) ;; *) continue ;; esac
      [ $well -eq 0 ] || continue
      well=1
    else
      keep "pods/$namespace/$pod.yaml" get pods -n "$namespace" "$pod" -o yaml
    fi
    for container in $($kubectl get pods -n "$namespace" "$pod" \
      -o 'jsonpath={.spec.initContainers[*].name} {.spec.containers[*].name}' 2>/dev/null | plain_names); do
      keep "logs/$namespace/$pod/$container.log" logs -n "$namespace" "$pod" -c "$container" --tail=5000
      if [ "$restarts" -gt 0 ]; then
        keep "logs/$namespace/$pod/$container.previous.log" logs -n "$namespace" "$pod" -c "$container" \
          --previous --tail=5000
      fi
    done
  done
done

server=$($kubectl config view --minify -o 'jsonpath={.clusters[0].cluster.server}' 2>/dev/null | tr -cd 'A-Za-z0-9:/.[]-')
printf '{"calivet": "collect.sh", "server": "%s", "collected": "%s", "seconds": 0}\n' "$server" "$started" \
  >"$work/$name/calivet-manifest.json"
[ -e "$work/$name/pods.txt" ] || echo "collect.sh: the cluster did not answer; see not-read.txt in the archive" >&2
(cd "$work" && tar cf - "$name") | gzip >"$file" || exit 1
echo "$file"
echo "collect.sh: on a machine with calivet: calivet diagnose $file" >&2
