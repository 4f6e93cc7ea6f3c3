# Collects, with kubectl alone, what calivet needs to tell why Calico does not work.
#
#   powershell -ExecutionPolicy Bypass -File collect.ps1 [-File FILE.zip] [-Kubectl kubectl] [-Context prod]
#
# It only reads: get, logs and version. Secrets are never asked for, and passwords, tokens and keys that stand in
# settings and logs are blotted out where expressions can tell them; look through the folder before you give it away.
# On another machine: calivet diagnose FILE.zip
# Works in Windows PowerShell 5.1 and in PowerShell 7 on any system.
param(
    [string]$File = "calivet-$((Get-Date).ToUniversalTime().ToString('yyyyMMdd-HHmmss')).zip",
    [string]$Kubectl = "kubectl",
    [string]$Context = ""
)
Set-StrictMode -Version 2
$ErrorActionPreference = "Continue"
[Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false

# What Calico and its operator are asked for, in these API groups, and the only ConfigMaps that are read.
$resources = "@RESOURCES@" -split " "
$groups = "@GROUPS@" -split " "
$maps = "@CONFIG_MAPS@" -split " "

$started = (Get-Date).ToUniversalTime().ToString("yyyy-MM-ddTHH:mm:ss") + "+00:00"
if (Test-Path -LiteralPath $File) {
    [Console]::Error.WriteLine("collect.ps1: $File is there already")
    exit 1
}
$name = [System.IO.Path]::GetFileNameWithoutExtension($File)
$work = Join-Path ([System.IO.Path]::GetTempPath()) ([System.IO.Path]::GetRandomFileName())
$folder = Join-Path $work $name
$null = New-Item -ItemType Directory -Path $folder
$plain = New-Object System.Text.UTF8Encoding $false
$common = @()
if ($Context) { $common = @("--context", $Context) }

function Tell([string]$text) {
    [Console]::Error.WriteLine("collect.ps1: $text")
}

# Without what follows the name of a secret, and without private keys.
function Hide-Secrets([string]$text) {
    $words = '(?:[Pp]ass(?:w(?:or)?d|phrase|code)|PASS(?:W(?:OR)?D|PHRASE|CODE)|[_-](?:pass|PASS)|SSHPASS|DBPASS|' +
        '[Pp]wd|PWD|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Cc]redentials?|CREDENTIALS?|[Kk]ey[_-]?[Dd]ata|' +
        '(?:[Aa]pi|API|[Aa]ccess|ACCESS|[Pp]rivate|PRIVATE|[Ss]hared|SHARED)[_-]?(?:[Kk]ey|KEY)|' +
        '\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u4ee4\u724c|\u5bc6\u94a5)'
    $is = '[^\S\n]*[:=\uff1a][^\S\n]*'
    $escaped = '(' + $words + '\\"[^\S\n]*:[^\S\n]*\\")(?:[^"\\\n]|\\[^"\n])+'
    $quoted = '(' + $words + '"?' + $is + '")(?:[^"\\\n]|\\[^\n])+'
    $single = '(' + $words + '''?' + $is + ''')[^''\n]+'
    $rest = '(?m)^([^\S\n]*(?:-[^\S\n]*)?[A-Za-z0-9_.-]*' + $words + $is + ')[^\s"''<][^\r\n]{3,}'
    $named = '(' + $words + '"?' + $is + '"?)[^\s",<]{4,}'
    $beside = '("name": ?"[A-Za-z0-9_.-]*' + $words + '", ?"value": ?")[^"\n]+'
    $below = '([Nn]ame"?: *"?[A-Za-z0-9_.-]*' + $words + '[A-Za-z0-9_.-]*"?,?\r?\n' +
        '[^\n]*[Vv]alue"?: *)[^\r\n]*'
    $text = $text -creplace '(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----', ''
    $text = $text -creplace $escaped, '$1<redacted-password-1>'
    $text = $text -creplace $quoted, '$1<redacted-password-1>'
    $text = $text -creplace $single, '$1<redacted-password-1>'
    $text = $text -creplace $rest, '$1<redacted-password-1>'
    $text = $text -creplace $named, '$1<redacted-password-1>'
    $text = $text -creplace $beside, '$1<redacted-password-1>'
    $text = $text -creplace $below, '$1<redacted-password-1>'
    $text = $text -creplace '([Aa]uthorization"?: *"?[A-Za-z]+ )[^\s"]{8,}', '$1<redacted-authorization-1>'
    $text = $text -creplace '([Bb]earer[^\S\n]+)[A-Za-z0-9._~+/=-]{8,}', '$1<redacted-token-1>'
    $text = $text -creplace 'eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9._-]+', '<redacted-token-1>'
    return $text -creplace '(://[^/:@\s]+:)[^/@\s]+@', '$1<redacted-password-1>@'
}

# What kubectl prints for these words: its lines, what it complains of, and whether it did well.
function Invoke-Kubectl([string[]]$words) {
    $said = & $Kubectl @common @words 2>&1
    $well = $LASTEXITCODE -eq 0
    $lines = @($said | Where-Object { $_ -isnot [System.Management.Automation.ErrorRecord] } | ForEach-Object { "$_" })
    $wrong = @($said | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] } | ForEach-Object { "$_" })
    return @{ Well = $well; Lines = $lines; Wrong = $wrong }
}

function Add-Text([string]$document, [string[]]$lines) {
    $path = Join-Path $folder $document
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $path)
    [System.IO.File]::AppendAllText($path, (Hide-Secrets (($lines -join "`n") + "`n")), $plain)
}

# Keeps what kubectl prints for these words in a document, below the command itself.
function Save-Output([string]$document, [string[]]$words) {
    $answer = Invoke-Kubectl $words
    $head = "`$ kubectl $($words -join ' ')"
    if (-not $answer.Well) {
        Add-Text "not-read.txt" (@($head) + $answer.Wrong)
    } elseif ($answer.Lines.Count -gt 0) {
        Add-Text $document (@($head) + $answer.Lines)
    } else {
        Add-Text $document (@($head) + $answer.Wrong)
    }
}

# What the API server calls things becomes names of files and words of commands: only what is a name.
$aName = '^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$'

# The columns of a table without its head.
function Get-Rows([string[]]$words) {
    $answer = Invoke-Kubectl ($words + @("--no-headers"))
    foreach ($line in $answer.Lines) {
        $row = $line.Trim() -split '\s+'
        if ($answer.Well -and $row[0] -cmatch $aName) { , $row }
    }
}

try {
    Tell "nodes and pods"
    Save-Output "version.txt" @("version")
    Save-Output "readyz.txt" @("get", "--raw", "/readyz?verbose")
    Save-Output "nodes.txt" @("get", "nodes", "-o", "wide")
    Save-Output "nodes-labels.txt" @("get", "nodes", "--show-labels")
    $calico = '.metadata.annotations.projectcalico\.org'
    Save-Output "nodes-calico.txt" @("get", "nodes", "-o", ("custom-columns=NAME:.metadata.name," +
        "IPV4:$calico/IPv4Address,IPV6:$calico/IPv6Address,IPIP:$calico/IPv4IPIPTunnelAddr," +
        "VXLAN:$calico/IPv4VXLANTunnelAddr,AS:$calico/ASNumber"))
    $unready = @(Get-Rows @("get", "nodes") | Where-Object { $_[1] -cne "Ready" } | Select-Object -First 8)
    foreach ($row in $unready) {
        Save-Output "nodes/$($row[0]).yaml" @("get", "nodes", $row[0], "-o", "yaml")
    }
    Save-Output "events/nodes.txt" @("get", "events", "-n", "default", "--field-selector", "involvedObject.kind=Node", "-o", "wide")
    Save-Output "pods.txt" @("get", "pods", "-A", "-o", "wide")
    foreach ($resource in @("daemonsets", "deployments", "services", "endpoints")) {
        Save-Output "$resource.txt" @("get", $resource, "-A", "-o", "wide")
    }

    Tell "Calico's resources"
    foreach ($group in $groups) {
        $answer = Invoke-Kubectl @("api-resources", "--api-group=$group", "-o", "name")
        if (-not $answer.Well -or $answer.Lines.Count -eq 0) { continue }
        Add-Text "api-resources/$group.txt" (@("`$ kubectl api-resources --api-group=$group -o name") + $answer.Lines)
        foreach ($resource in $resources) {
            # Where two groups serve it, the first is where Calico keeps it.
            $known = Test-Path -LiteralPath (Join-Path $folder "calico/$resource.yaml")
            if (-not $known -and ($answer.Lines -contains "$resource.$group")) {
                Save-Output "calico/$resource.yaml" @("get", "$resource.$group", "-o", "yaml")
            }
        }
        $known = Test-Path -LiteralPath (Join-Path $folder "calico/blockaffinities.txt")
        if (-not $known -and ($answer.Lines -contains "blockaffinities.$group")) {
            Save-Output "calico/blockaffinities.txt" @("get", "blockaffinities.$group", "-o", ("custom-columns=" +
                "NAME:.metadata.name,NODE:.spec.node,STATE:.spec.state,CIDR:.spec.cidr,DELETED:.spec.deleted"))
        }
    }

    $namespaces = @("kube-system") + @(Get-Rows @("get", "daemonsets", "-A") |
        Where-Object { $_[1] -cmatch "calico|canal" } | ForEach-Object { $_[0] })
    foreach ($namespace in ($namespaces | Sort-Object -Unique)) {
        Tell $namespace
        Save-Output "events/$namespace.txt" @("get", "events", "-n", $namespace, "-o", "wide")
        foreach ($map in $maps) {
            if ((Invoke-Kubectl @("get", "configmaps", "-n", $namespace, $map)).Well) {
                Save-Output "configmaps/$namespace/$map.yaml" @("get", "configmaps", "-n", $namespace, $map, "-o", "yaml")
            }
        }
        foreach ($row in @(Get-Rows @("get", "daemonsets", "-n", $namespace))) {
            if ($row[0] -cmatch "calico-node|canal|kube-proxy") {
                Save-Output "daemonsets/$namespace/$($row[0]).yaml" @("get", "daemonsets", "-n", $namespace, $row[0], "-o", "yaml")
            }
        }
        # The logs of what is not well, and of one calico-node that is, to compare.
        $sick = @()
        $well = @()
        foreach ($row in @(Get-Rows @("get", "pods", "-n", $namespace))) {
            if ($row[0] -cnotmatch "calico|canal|typha|kube-proxy|coredns|tigera|etcd|kube-apiserver") { continue }
            $ready = $row[1] -split "/"
            $restarts = [int]("0$($row[3])" -replace '\D.*$', '' -replace '^0*(\d{1,9}).*$', '$1')
            $pod = @{ Name = $row[0]; Restarts = $restarts }
            if ($ready[0] -ne $ready[1] -or $row[2] -cnotmatch "Running|Completed" -or $restarts -gt 3) {
                $sick += $pod
            } elseif ($row[0] -cmatch "^(calico-node|canal)-") {
                $well += $pod
            }
        }
        foreach ($pod in $sick) {
            Save-Output "pods/$namespace/$($pod.Name).yaml" @("get", "pods", "-n", $namespace, $pod.Name, "-o", "yaml")
        }
        foreach ($pod in @(@($sick) + @($well | Select-Object -First 1) | Select-Object -First 40)) {
            $paths = "jsonpath={.spec.initContainers[*].name} {.spec.containers[*].name}"
            $answer = Invoke-Kubectl @("get", "pods", "-n", $namespace, $pod.Name, "-o", $paths)
            foreach ($container in @(($answer.Lines -join " ") -split '\s+' | Where-Object { $_ -cmatch $aName })) {
                $asked = @("logs", "-n", $namespace, $pod.Name, "-c", $container)
                Save-Output "logs/$namespace/$($pod.Name)/$container.log" ($asked + @("--tail=5000"))
                if ($pod.Restarts -gt 0) {
                    Save-Output "logs/$namespace/$($pod.Name)/$container.previous.log" ($asked + @("--previous", "--tail=5000"))
                }
            }
        }
    }

    $answer = Invoke-Kubectl @("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}")
    $server = ($answer.Lines -join "") -replace '[^A-Za-z0-9:/.\[\]-]', ''
    $manifest = "{`"calivet`": `"collect.ps1`", `"server`": `"$server`", `"collected`": `"$started`", `"seconds`": 0}`n"
    [System.IO.File]::WriteAllText((Join-Path $folder "calivet-manifest.json"), $manifest, $plain)
    if (-not (Test-Path -LiteralPath (Join-Path $folder "pods.txt"))) {
        Tell "the cluster did not answer; see not-read.txt in the archive"
    }
    Compress-Archive -LiteralPath $folder -DestinationPath $File
    $File
    Tell "on a machine with calivet: calivet diagnose $File"
} finally {
    Remove-Item -Recurse -Force -LiteralPath $work
}
