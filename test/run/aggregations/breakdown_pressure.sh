#@ what:    breakdown() counts reads from a disk with a limited rate as part "disk", with the same time as io.pressure of the cgroup
#@ needs:   syscall loop alone
one=$(awk '$3 == "cgroup" && $4 ~ /(^|,)blkio(,|$)/ { print $2; exit }' /proc/mounts)
two=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ "$two" ] || { echo "control groups of version 2 are not mounted"; exit 77; }
truncate -s 64M "$TMP/image"
device=$(losetup -f --show "$TMP/image") || { echo "this kernel has no loop devices"; exit 77; }
number=$(cat "/sys/block/${device#/dev/}/dev")
[ "$one" ] || echo +io >"$two/cgroup.subtree_control"
group=$two/pressure.$$
slow=${one:-$two}/pressure.$$
mkdir -p "$group" "$slow"
trap 'rmdir "$group"; [ "$one" ] && rmdir "$slow"; losetup -d $device' EXIT
[ -e "$group/io.pressure" ] || { echo "this kernel tells no pressure"; exit 77; }
if [ "$one" ]; then
    echo "$number 100" >"$slow/blkio.throttle.read_iops_device"
else
    echo "$number riops=100" >"$slow/io.max"
fi 2>"$TMP/errors" || { echo "control groups do not slow down devices here"; exit 77; }
# The program is pinned to one CPU, because io.pressure weights times by CPU if there are several.
cat >"$TMP/all" <<S
echo \$\$ >$slow/cgroup.procs
exec taskset 1 sh -c 'echo \$\$ >$group/cgroup.procs; exec $PROGS/reads $device 40 direct'
S
$DTRACE -q -x format=csv -o "$TMP/known.csv" -c "sh $TMP/all" -n 'syscall::close:entry /progenyof($target) && (int)arg0 == -1/ { self->m = mark(); }
    syscall::close:entry /self->m && (int)arg0 == -2/ { @ = breakdown(self->m); self->m = 0; }' >"$TMP/output"
stalled=$(sed -n 's/^some .*total=//p' "$group/io.pressure")
tr -d '\r' <"$TMP/known.csv" | awk -F, -v stalled="$stalled" '
    $1 == "@_" { time[$2] = $3 }
    END {
        real = 1000 * stalled; allowed = real / 50 > 5e6 ? real / 50 : 5e6 # io.pressure also counts reads before the first mark()
        print "io.pressure", (real > 1e8 && time["disk"] <= real + 1e6 && time["disk"] >= real - allowed ? "ok" : time["disk"] " and not " real)
    }'
