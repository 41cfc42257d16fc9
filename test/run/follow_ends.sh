#@ what:    tracing ends when the target is gone, with -x follow when all are gone that come from it
cat >"$TMP/in" <<EOF
(sleep 0.4; sleep 0.4; echo >$TMP/done) &
EOF
for follow in none fork exec; do
    rm -f "$TMP/done"
    $DTRACE -x follow=$follow -qn 'END { printf("ended\n"); }' -c "sh $TMP/in"
    [ -e "$TMP/done" ] && echo "$follow: all of them" || echo "$follow: the target"
    for i in $(seq 100); do [ -e "$TMP/done" ] && break; sleep 0.1; done
done
