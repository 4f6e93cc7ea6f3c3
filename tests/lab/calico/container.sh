# The first process of a container on a machine of the lab: builds its root from an image, mounts what its pod asks for,
# and becomes its command. It runs in namespaces of its own for files and processes, with the machine's network.
set -eu
root=/run/containers/$1 image=/images/$2 mounts=$3
shift 3

mkdir -p "$root"
mount -t tmpfs -o mode=755 container "$root"
cd "$root"
mkdir dev proc run sys tmp usr var
ln -s ../run var/run
for folder in bin lib lib64 sbin; do
    ln -s "usr/$folder" "$folder"
done
# What the image itself does not have of a system's programs comes from the machine.
mount -t overlay -o "lowerdir=$image/usr:/usr" overlay usr
for folder in etc opt; do
    mkdir "$folder"
    [ ! -d "$image/$folder" ] || cp -a "$image/$folder/." "$folder"
done
for file in alternatives group hosts ld.so.cache nsswitch.conf passwd protocols resolv.conf services; do
    [ -e "etc/$file" ] || [ ! -e "/etc/$file" ] || cp -a "/etc/$file" "etc/$file"
done
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev

# Each line: a path of the machine, a path of the container, ro or rw.
while read -r from to how; do
    [ "$to" != /lib/modules ] || continue # it is the kernel's below, and nothing here may load of it
    if [ -d "$from" ]; then mkdir -p "./$to"; else mkdir -p "./${to%/*}" && : >>"./$to"; fi
    mount --rbind "$from" "./$to"
    [ "$how" = rw ] || mount -o remount,bind,ro "./$to"
done <"$mounts"

mkdir -p below
pivot_root . below
exec chroot . /bin/sh -c 'umount -l /below && cd / && exec "$@"' container "$@"
