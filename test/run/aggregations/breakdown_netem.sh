#@ what:    breakdown(): what a network delays packets by is network, as long as the kernel counts the wait
#@ needs:   guest
. ./known_parts
# Debian's kernels come with the module beside them.
modules=$(ls -d ../../../build/guest/*/lib/modules/$(uname -r)/kernel ../../../build/guest/*/usr/lib/modules/$(uname -r)/kernel 2>/dev/null | head -n 1)
for module in "$modules"/net/sched/sch_netem.ko*; do
    case $module in
    *.xz) xz -dc "$module" >"$TMP/sch_netem.ko" ;;
    *) cp "$module" "$TMP/sch_netem.ko" ;;
    esac 2>/dev/null
done
busybox insmod "$TMP/sch_netem.ko" 2>"$TMP/errors" || tc qdisc add dev lo root netem delay 0ms 2>>"$TMP/errors" || exit 77
cp "$PROGS/round_trips" "$TMP/part_network"
cat >"$TMP/trips" <<S
ip link set lo up && tc qdisc replace dev lo root netem delay 15ms && $TMP/part_network 4 >$TMP/truth
S
known_parts 'network:network' "unshare -n sh $TMP/trips"
grep -q '^network truth [0-9]\{9\}' "$TMP/truth" && echo at least 100 ms
