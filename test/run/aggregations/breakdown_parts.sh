#@ what:    breakdown(): each way to spend time is in its part, as long as the kernel counts it, all parts are the time, and nothing is other
#@ needs:   syscall alone
. ./known_parts
pairs='user:cpu kernel:cpu runq:runq timer:timer futex:futex lock:lock mutex:lock pipe:pipe unix:pipe network:network poll:poll child:child signal:signal stop:signal fault:fault'
for pair in $pairs; do # each under a name of its own, which is its key
    part=${pair%:*}
    cp "$PROGS/parts" "$TMP/part_$part"
    echo "$TMP/part_$part $part" '||' "echo $part none" # no userfaultfd(2)
done >"$TMP/all"
known_parts "$pairs" "sh -c 'sh $TMP/all >$TMP/truth'" | sed '/none/d'
