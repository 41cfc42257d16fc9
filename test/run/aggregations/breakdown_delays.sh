#@ what:    breakdown() reports the same disk, reclaim and run-queue times as the kernel's delay accounting
#@ needs:   guest loop
. ./known_parts
[ -e /proc/sys/kernel/task_delayacct ] || { echo "this kernel keeps no accounts of delays"; exit 77; }
echo 1 >/proc/sys/kernel/task_delayacct
two=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
echo '+memory +io' >"$two/cgroup.subtree_control" || { echo "control groups have no memory and io here"; exit 77; }
for part in direct buffered; do cp "$PROGS/reads" "$TMP/part_$part"; done
truncate -s 64M "$TMP/image"
device=$(losetup -f --show "$TMP/image") || { echo "this kernel has no loop devices"; exit 77; }
mkdir "$two/slow.$$" "$two/small.$$"
trap 'rmdir "$two/slow.$$" "$two/small.$$"; losetup -d $device' EXIT
echo "$(cat /sys/block/${device#/dev/}/dev) riops=100" >"$two/slow.$$/io.max" || { echo "control groups do not slow down devices here"; exit 77; }
echo 4M >"$two/small.$$/memory.max"
cat >"$TMP/all" <<S
echo 0 >$two/slow.$$/cgroup.procs
$TMP/part_direct $device 20 direct
echo 0 >$two/small.$$/cgroup.procs
$TMP/part_buffered $device 4000 buffered 4096
S
known_parts 'direct:disk' "sh -c 'sh $TMP/all >$TMP/truth'"
# A time from breakdown() may differ from the kernel's by 10 % or 5 ms, because of emulation. Reclaim may differ by a factor of two: the kernel's delay
# of each short reclaim includes interrupts and run-queue time, which breakdown() counts separately. All times are in ns; "delays" has disk, swap, reclaim, thrashing, queue.
# The run-queue time is compared with a count read at the start and end of each part: "delays" also counts waits outside of the parts.
tr -d '\r' <"$TMP/known.csv" | awk -F, -v truth="$TMP/truth" '
    function near(is, real, allowed) { allowed = real / 10 > 5e6 ? real / 10 : 5e6; return is >= real - allowed && is <= real + allowed }
    BEGIN { while ((getline line <truth) > 0) { split(line, w, " "); if (w[2] == "delays") { disk[w[1]] = w[3]; reclaim[w[1]] = w[5] } if (w[2] == "truth") queued[w[1]] = w[5] } }
    $1 == "@_" { time[$2, $3] = $4; sum[$2] += $4 } $1 == "@wall" { wall[$2] = $3 }
    END {
        d = "part_direct"; b = "part_buffered"
        print "blkio", (disk["direct"] >= 1e7 && near(time[d, "disk"], disk["direct"])) ? "ok" : time[d, "disk"] " and not " disk["direct"]
        print "freepages", (reclaim["buffered"] && time[b, "reclaim"] >= reclaim["buffered"] / 2 && time[b, "reclaim"] <= 2 * reclaim["buffered"]) ? "ok" : time[b, "reclaim"] " and not " reclaim["buffered"]
        print "runq", near(time[d, "runq"], queued["direct"]) ? "ok" : time[d, "runq"] " and not " queued["direct"]
        print "sum", sum[b] == wall[b] && time[b, "other"] <= wall[b] / 100 ? "ok" : sum[b] " of " wall[b] ", other " time[b, "other"]
    }'
