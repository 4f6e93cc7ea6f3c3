"""Lines that programs really print, with every word that might look like a secret's, and none in them."""

from __future__ import annotations

ORDINARY = r"""
2024-05-06 07:08:09.123 [FATAL][1] cni-installer/install.go 341: Unable to create token for CNI kubeconfig error=Unauthorized
2024-05-06 07:08:09.123 [ERROR][1] cni-installer/<nil> <nil>: Unable to create token for CNI kubeconfig error=Post "https://10.96.0.1:443/api/v1/namespaces/kube-system/serviceaccounts/calico-node/token": dial tcp 10.96.0.1:443: connect: connection refused
2024-05-06 07:08:09.123 [INFO][55] cni-config-monitor/token_watch.go 226: Update of CNI kubeconfig triggered based on elapsed time.
2024-05-06 07:08:09.123 [ERROR][55] cni-config-monitor/token_watch.go 196: Failed to update CNI token, retrying... error=context deadline exceeded
2024-05-06 07:08:09.123 [WARNING][8] startup/startup.go 451: Connection to the datastore is unauthorized error=connection is unauthorized: Unauthorized
2024-05-06 07:08:09.123 [WARNING][61] confd/client.go 1083: Can't read password referenced by BGP Peer rack-1 error=secret bgp-secrets does not have key rr-password
2024-05-06 07:08:09.123 [WARNING][61] confd/secret_watcher.go 143: Controller for secret 'bgp-mesh-key' did not sync within 5s
2024-05-06 07:08:09.123 [INFO][61] confd/client.go 911: Node-to-node mesh password is not set, clearing it
2024-05-06 07:08:09.123 [INFO][70] felix/config_params.go 437: Merging in config from datastore (global): map[ClusterGUID:8d1c7a3e5b9f4d02 ClusterType:kdd,bgp,k8s IptablesMarkMask:0xffff0000 LogSeverityScreen:Info]
2024-05-06 07:08:09.123 [INFO][70] felix/int_dataplane.go 356: Creating internal dataplane driver. config=intdataplane.Config{Hostname:"wk-3", RulesConfig:rules.Config{IptablesMarkAccept:0x10000, IptablesMarkPass:0x20000, IptablesMarkScratch0:0x40000}}
2024-05-06 07:08:09.123 [INFO][9] startup/autodetection/filtered.go 53: Using autodetected IPv4 address on interface eth0: 10.1.2.3/24
2024-05-06 07:08:09.123 [INFO][70] felix/wireguard.go 605: Public key out of sync or updated ourPublicKey=mP0cVd7YkzT3o5b1nQ8rWsX2uJf4gHa6iLe9tKyZAB8=
Warning  FailedCreatePodSandBox  3s (x9 over 2m)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5e0f1a2b3c4d5e6f70819203a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized
Warning  FailedMount  68s (x2 over 3m)  kubelet  MountVolume.SetUp failed for volume "calico-node-token-8s2xp" : failed to sync secret cache: timed out waiting for the condition
Warning  FailedMount  12s  kubelet  MountVolume.SetUp failed for volume "etcd-certs" : secret "calico-etcd-secrets" not found
Warning  Failed  5s  kubelet  Failed to pull image "registry.lab/calico/node:v3.27.2": rpc error: code = Unknown desc = unauthorized: authentication required
Warning  FailedToRetrieveImagePullSecret  5s  kubelet  Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.
E0506 07:08:09.123456       1 authentication.go:63] "Unable to authenticate the request" err="[invalid bearer token, Token has expired.]"
E0506 07:08:09.123456       1 authentication.go:63] Unable to authenticate the request due to an error: [invalid bearer token, square/go-jose: error in cryptographic primitive]
E0506 07:08:09.123456       1 authentication.go:73] "Unable to authenticate the request" err="[invalid bearer token, service account token has been invalidated]"
W0506 07:08:09.123456       1 reflector.go:324] k8s.io/client-go/informers/factory.go:134: failed to list *v1.Secret: secrets is forbidden: User "system:serviceaccount:kube-system:calico-kube-controllers" cannot list resource "secrets" in API group "" at the cluster scope
E0506 07:08:09.123456    1207 kubelet_node_status.go:93] "Unable to register node with API server" err="Unauthorized" node="wk-3"
E0506 07:08:09.123456    1207 token_manager.go:121] "Couldn't update token" cacheKey="\"calico-node\"/\"kube-system\"/[]string(nil)/3607/v1.BoundObjectReference{Kind:\"Pod\", APIVersion:\"v1\", Name:\"calico-node-x7k2p\", UID:\"0c7c2a66-6a3f-4c0e-9d53-0f9b1c2d3e4f\"}" err="Post \"https://10.1.2.3:6443/api/v1/namespaces/kube-system/serviceaccounts/calico-node/token\": EOF"
I0506 07:08:09.123456       1 plugins.go:161] Loaded 12 mutating admission controller(s) successfully in the following order: NamespaceLifecycle,LimitRanger,ServiceAccount,NodeRestriction
I0506 07:08:09.123456       1 flags.go:64] FLAG: --service-account-private-key-file="/etc/kubernetes/pki/sa.key"
I0506 07:08:09.123456       1 flags.go:64] FLAG: --token-auth-file=""
I0506 07:08:09.123456       1 flags.go:64] FLAG: --authentication-token-webhook-cache-ttl="2m0s"
I0506 07:08:09.123456    1207 flags.go:64] FLAG: --bootstrap-kubeconfig="/etc/kubernetes/bootstrap-kubelet.conf"
    - --token-auth-file=/etc/kubernetes/tokens.csv
    - --service-account-key-file=/etc/kubernetes/pki/sa.pub
    - --service-account-signing-key-file=/etc/kubernetes/pki/sa.key
    - --tls-private-key-file=/etc/kubernetes/pki/apiserver.key
    - --kubelet-client-key=/etc/kubernetes/pki/apiserver-kubelet-client.key
    - --proxy-client-key-file=/etc/kubernetes/pki/front-proxy-client.key
    - --enable-bootstrap-token-auth=true
    - --use-service-account-credentials=true
    - --authentication-token-webhook=true
    - --encryption-provider-config=/etc/kubernetes/enc.yaml
    - --authorization-mode=Node,RBAC
  authorization:
    mode: Webhook
  rotateCertificates: true
  automountServiceAccountToken: false
      - serviceAccountToken:
          expirationSeconds: 3607
          path: token
  tokenExpirationSeconds: 3607
    TokenExpirationSeconds:  3607
    SecretName:  calico-node-token-8s2xp
    Type:        Secret (a volume populated by a Secret)
      ETCD_PASSWORD:  <set to the key 'etcd_password' in secret 'etcd-login'>  Optional: false
      DATASTORE_TOKEN:  <set to the key 'token' of config map 'x'>  Optional: true
      CNI_CONF_ETCD_KEY:  /calico-secrets/etcd-key
      KUBE_TOKEN_FILE:  /var/run/secrets/kubernetes.io/serviceaccount/token
      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-x7k2p (ro)
Mountable secrets:   calico-node-token-8s2xp
Tokens:              calico-node-token-8s2xp
Image pull secrets:  regcred
password:  16 bytes
token:      1048 bytes
bgp-secrets   Opaque   1      9d
calico-node-token-8s2xp   kubernetes.io/service-account-token   3      9d
bootstrap-token-a1b2c3   bootstrap.kubernetes.io/token   7   23h
type: kubernetes.io/service-account-token
imagePullSecrets:
- name: regcred
  secretName: typha-certs
    secretKeyRef:
      key: rr-password
      name: bgp-secrets
      secret: bgp-secrets
  nodeMeshPassword:
  token: ""
  password: null
  password: ''
  passwordFile: /etc/calico/bgp-password
  tokenSecret: calico-login
  clientSecretRef: oidc-client
  credentialsName: cloud-login
token: xxxxxx
token: <token>
Authorization: Bearer <masked>
-H "Authorization: Bearer $TOKEN"
curl -H "Authorization: Bearer $(cat /var/run/secrets/kubernetes.io/serviceaccount/token)" https://10.96.0.1/healthz
kubeadm join 10.1.2.3:6443 --token <value withheld> --discovery-token-ca-cert-hash sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0
    --discovery-token-ca-cert-hash sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0
[bootstrap-token] Using token: <hidden>
[preflight] The certificate key must be a 32 byte AES key
error: You must be logged in to the server (Unauthorized)
error: error loading config file "/etc/kubernetes/admin.conf": open /etc/kubernetes/admin.conf: permission denied
open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory
stat /var/run/secrets/kubernetes.io/serviceaccount/token: permission denied
invalid password
Access denied for user 'felix'@'10.1.2.3' (using password: YES)
FATAL: password authentication failed for user "felix"
the password is incorrect, the token is expired and the secret was not found
serviceaccount token is missing
token has expired
Secret: not found
etcdUsername: etcdPassword: version:false kubeSubnetMgr:true
{"level":"error","msg":"Error retrieving pull secrets","error":"Secret \"harbor-pull\" not found"}
{"nodeMeshPassword":{"secretKeyRef":{"key":"mesh","name":"bgp-mesh-key"}},"nodeToNodeMeshEnabled":true}
{"automountServiceAccountToken":true,"secrets":[{"name":"calico-node-token-8s2xp"}]}
{"kind":"Event","involvedObject":{"kind":"Secret","name":"typha-certs"},"reason":"Synced"}
-----BEGIN CERTIFICATE-----
MIIC/jCCAeagAwIBAgIBADANBgkqhkiG9w0BAQsFADAVMRMwEQYDVQQDEwprdWJl
-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUMvakNDQWVhZ0F3SUJBZ0lCQURBTkJna3Foa2lHOXcwQkFRc0ZBREFW
    client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURJVENDQWdtZ0F3SUJBZ0lJTk1HRXBh
    client-certificate: /var/lib/kubelet/pki/kubelet-client-current.pem
    client-key: /var/lib/kubelet/pki/kubelet-client-current.pem
    tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
        uid: 0c7c2a66-6a3f-4c0e-9d53-0f9b1c2d3e4f
  resourceVersion: "48151623"
    image: docker.io/calico/node@sha256:8e2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
Image ID:      docker.io/calico/node@sha256:8e2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
Container ID:  containerd://5e0f1a2b3c4d5e6f70819203a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7
pod-template-hash=6f8c7d74b4,controller-revision-hash=7c9d8f6b5
8e9e05c52164694d, started, cp-1, https://10.1.2.3:2380, https://10.1.2.3:2379, false
etcdctl --endpoints=https://10.1.2.3:2379 --cacert=/etc/etcd/ca.crt --cert=/etc/etcd/a.crt --key=/etc/etcd/a.key endpoint health
  private key: (hidden)
  public key: mP0cVd7YkzT3o5b1nQ8rWsX2uJf4gHa6iLe9tKyZAB8=
net.ipv4.tcp_fastopen_key = 00000000-00000000-00000000-00000000
May  6 07:08:09 wk-3 sshd[991]: Failed password for root from 10.1.2.9 port 50122 ssh2
May  6 07:08:09 wk-3 sudo[991]: pam_unix(sudo:auth): authentication failure; logname=ops uid=1000 euid=0 tty=/dev/pts/0
May  6 07:08:09 wk-3 systemd[1]: systemd-ask-password-wall.path: Succeeded.
May  6 07:08:09 wk-3 kernel: TCP: MD5 Hash failed for (10.1.2.9, 40122)->(10.1.2.3, 179)
<3>May 6 07:08:09 bird: Mesh_10_1_2_9: Socket error: bind: Address not available
clusterrole.rbac.authorization.k8s.io/calico-node configured
tokenreviews.authentication.k8s.io/v1
calico-node   serviceaccounts/token   create
kubectl auth can-i create serviceaccounts/token -n kube-system --as=system:serviceaccount:kube-system:calico-node
kubectl create secret generic bgp-secrets -n kube-system --from-literal=rr-password=THE_PASSWORD --dry-run=client -o yaml
kubectl -n kube-system get secret bgp-secrets -o jsonpath='{.metadata.creationTimestamp}'
kubectl -n calico-system get secret typha-certs -o jsonpath='{.data.tls\.crt}' | base64 -d | openssl x509 -noout -dates
notBefore=May  6 07:08:09 2024 GMT
notAfter=May  6 07:08:09 2025 GMT
subject=CN = typha-server
image: k8s.gcr.io/pause:3.2 http://10.1.2.3:8080/healthz https://[fd00::1]:6443/readyz ssh root@10.1.2.3 git@github.com:projectcalico/calico.git
https://10.1.2.3:2379,https://10.1.2.4:2379,https://10.1.2.5:2379
docker://19.3.12  containerd://1.7.11  tcp://10.1.2.3:2375
-A KUBE-SEP-QK7YXBBZRAYYYRLD -s 10.244.1.7/32 -m comment --comment "kube-system/kube-dns:dns-tcp" -j KUBE-MARK-MASQ
:cali-tw-cali5e0f1a2b3c4 - [0:0]
-A cali-PREROUTING -m comment --comment "cali:6gwbT8clXdHdC1b1" -j MARK --set-xmark 0x0/0x20000
--- PASS: TestReadiness (0.02s)
PASS: preflight check
the --token flag is required and --password must not be empty
the passwords were rotated, the token and the secret are the same as before
我们重建了 secret，token 没有过期，密码没有改过。
T=$(awk '/token:/{print $2}' /etc/cni/net.d/calico-kubeconfig | tr -d '"')
""".strip("\n").split("\n")
