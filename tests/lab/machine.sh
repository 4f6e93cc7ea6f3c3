# The first process of a machine of the lab: builds a root of its own in memory, then does what its standard input says.
# When that closes, however the tests end, this ends, and with it every process, mount and card of the machine.
set -eu
name=$1
read -r pid _ </proc/self/stat # of the caller's world: /proc is not yet our own

hostname "$name"
ip link set lo up

mount -t tmpfs -o mode=755 "$name" /mnt
cd /mnt
mkdir -p dev etc mnt opt proc root run sys tmp var/lib var/log
ln -s /run var/run
for folder in bin lib lib32 lib64 sbin usr; do
    if [ -L "/$folder" ]; then
        ln -s "usr/$folder" "$folder"
    elif [ -d "/$folder" ]; then
        mkdir -p "$folder"
        mount --rbind "/$folder" "$folder"
        mount -o remount,bind,ro "$folder"
    fi
done
if [ "${2-}" ]; then
    mkdir images
    mount --bind "$2" images
    mount -o remount,bind,ro images
fi
mount -t proc proc proc
mount -t sysfs sysfs sys
for device in full null random urandom zero; do
    : >"dev/$device"
    mount --bind "/dev/$device" "dev/$device"
done

# What the programs of the lab need from /etc, and nothing that tells of the machine below.
for file in alternatives ld.so.cache ld.so.conf nsswitch.conf os-release protocols services; do
    [ ! -e "/etc/$file" ] || cp -a "$(readlink -f "/etc/$file")" "etc/$file"
done
echo 'root:x:0:0:root:/root:/bin/sh' >etc/passwd
echo 'root:x:0:' >etc/group
echo "$name" >etc/hostname
printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$name" >etc/hosts

# How busy the machine below is, what it swaps and what its kernel logs is not this machine's.
cover() { # FILE TEXT
    [ -e "proc/$1" ] || return 0
    mkdir -p "mnt/$1" && echo "$2" >"mnt/$1/text" && mount --bind "mnt/$1/text" "proc/$1"
}
idle='avg10=0.00 avg60=0.00 avg300=0.00 total=4711'
cover loadavg '0.08 0.05 0.01 1/99 4711'
cover swaps 'Filename				Type		Size		Used		Priority'
cover pressure/cpu "some $idle"
cover pressure/memory "some $idle
full $idle"
cover pressure/io "some $idle
full $idle"
: >dev/kmsg

# Only now may the caller reach into this machine's files: before, they were those of the machine below.
mkdir below
pivot_root . below
# shellcheck disable=SC2016 # the inner shell expands it
exec chroot . /bin/sh -c '
    umount -l /below && rmdir /below && cd && echo "$0" || exit
    while read -r line; do
        eval "$line"
        echo done
    done' "$pid"
