#@ what:    -x followchildren=exec traces programs that children and grandchildren execute; =fork does not
cat >"$TMP/in" <<EOF
$PROGS/calls 5
sh -c "$PROGS/calls 7; true"
EOF
"$PROGS/calls" 100000 >/dev/null & # calls of an unrelated process
for follow in none fork exec; do
    $DTRACE -x followchildren=$follow -qn 'pid$target:libc.so.6:getppid:entry /pid != $target && execname == "calls"/ { @ = count(); } END { printa("%@d", @); printf(" '$follow'\n"); }' \
        -c "sh $TMP/in"
done
wait
