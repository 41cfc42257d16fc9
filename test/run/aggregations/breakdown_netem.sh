#@ what:    breakdown() counts a packet delay added by netem as part "network"
#@ needs:   guest
. ./known_parts
load_module net/sched/sch_netem || tc qdisc add dev lo root netem delay 0ms 2>"$TMP/errors" || { echo "sch_netem cannot be loaded"; exit 77; }
cp "$PROGS/round_trips" "$TMP/part_network"
cat >"$TMP/trips" <<S
ip link set lo up && tc qdisc replace dev lo root netem delay 15ms && $TMP/part_network 4 >$TMP/truth
S
known_parts 'network:network' "unshare -n sh $TMP/trips"
grep -q '^network truth [0-9]\{9\}' "$TMP/truth" && echo at least 100 ms
