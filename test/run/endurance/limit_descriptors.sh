#@ what:    with a limit of 5 to 24 file descriptors, dtrace -c either traces its command or prints an error
#@ needs:   syscall
for n in 5 6 8 12 16 17 18 19 20 21 22 24; do
    setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource bash -c "ulimit -n $n; exec $DTRACE -qn 'BEGIN { @ = count(); }' -c true" >"$TMP/out" 2>"$TMP/err"
    status=$?
    result=$(grep -c '^ *1$' "$TMP/out")
    reason=$(grep -c '^dtrace: ' "$TMP/err")
    [ "$status $result" = "0 1" ] || { [ "$status" != 0 ] && [ "$reason" -gt 0 ]; } || echo "$n: status $status, $(cat "$TMP/err")"
done
echo "all ended"
