#@ what:    breakdown() counts each kind of work or wait in the documented part of the time, and the parts add up to the elapsed time
#@ needs:   syscall alone
. ./known_parts
pairs='user:cpu kernel:cpu runq:runq timer:timer futex:futex lock:lock mutex:lock pipe:pipe unix:pipe network:network poll:poll child:child signal:signal stop:signal fault:fault'
for pair in $pairs; do # each part has a program of its own, whose name is the key of the aggregation
    part=${pair%:*}
    cp "$PROGS/parts" "$TMP/part_$part"
    echo "$TMP/part_$part $part" '||' "echo $part none" # this kernel may lack userfaultfd(2)
done >"$TMP/all"
known_parts "$pairs" "sh -c 'sh $TMP/all >$TMP/truth'" | sed '/none/d'
