#@ what:    SIGUSR1 prints the content of a bufpolicy=ring buffer once, and recording continues
#@ needs:   syscall
$DTRACE -x bufpolicy=ring -qn 'BEGIN { printf("begun\n"); @["key"] = sum(42); } END { printf("end\n"); }' >"$TMP/out" 2>&1 &
pid=$!
until ((0x0$(sed -n 's/^SigBlk:\s*//p' /proc/$pid/status) & 1 << 9)); do sleep 0.05; done
for asked in 1 2; do
    kill -USR1 $pid
    until (($(grep -c key "$TMP/out") == asked)); do sleep 0.05; done
done
kill -TERM $pid
wait $pid
echo "status $?"
tr -s ' ' <"$TMP/out"
