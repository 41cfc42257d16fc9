#@ what:    the trace ends when the target exits; with -x followchildren, it ends when all descendants of the target have exited
cat >"$TMP/in" <<EOF
(until [ -e $TMP/go ]; do sleep 0.05; done; echo >$TMP/done) &
EOF
for follow in none fork exec; do
    rm -f "$TMP/done" "$TMP/go"
    [ $follow = none ] || (sleep 1; : >"$TMP/go") & # after this second, a tracer that waits only for the target has ended
    $DTRACE -x followchildren=$follow -qn 'END { printf("ended\n"); }' -c "sh $TMP/in"
    [ -e "$TMP/done" ] && echo "$follow: all of them" || echo "$follow: the target"
    : >"$TMP/go"
    until [ -e "$TMP/done" ]; do sleep 0.1; done
done
