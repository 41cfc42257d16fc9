#@ what:    breakdown() counts reads from a disk with a limited rate as part "disk", for direct and cached reads
#@ needs:   syscall loop alone
. ./known_parts
for part in direct buffered; do cp "$PROGS/reads" "$TMP/part_$part"; done
truncate -s 64M "$TMP/image"
device=$(losetup -f --show "$TMP/image") || { echo "this kernel has no loop devices"; exit 77; }
one=$(awk '$3 == "cgroup" && $4 ~ /(^|,)blkio(,|$)/ { print $2; exit }' /proc/mounts)
two=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
number=$(cat /sys/block/${device#/dev/}/dev)
group=${one:-$two}/slow.$$
[ "$one" ] || echo +io >"$two/cgroup.subtree_control"
mkdir "$group"
trap 'rmdir "$group"; losetup -d $device' EXIT
# The limit of 100 reads a second makes each read take 10 ms, except the first ten: the kernel lets ten reads pass
# immediately in each slice of a tenth of a second.
if [ "$one" ]; then
    echo "$number 100" >"$group/blkio.throttle.read_iops_device"
else
    echo "$number riops=100" >"$group/io.max"
fi 2>"$TMP/errors" || { echo "control groups do not slow down devices here"; exit 77; }
cat >"$TMP/all" <<S
echo \$\$ >$group/cgroup.procs
for part in direct buffered; do $TMP/part_\$part $device 20 \$part; done
S
known_parts 'direct:disk buffered:disk' "sh -c 'sh $TMP/all >$TMP/truth'"
grep -q '^direct truth [0-9]\{8\}' "$TMP/truth" && echo at least 10 ms
