#@ what:    with a small buffer and a high record rate, printed plus dropped records equal the number of probe hits
#@ needs:   syscall smp alone
#@ timeout: 120
count=2000000
[ -n "$DTRACE_GUEST" ] && count=100000
$DTRACE -b 4k -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", tid); }' \
    -c "$PROGS/storm $count 2" -o "$TMP/out" 2>"$TMP/err"
echo "status $?"
printed=$(wc -l <"$TMP/out")
dropped=$(sed -n 's/^dtrace: \([0-9]*\) drops\{0,1\} on CPU [0-9]*$/\1/p' "$TMP/err" | awk '{ n += $1 } END { print n + 0 }')
if [ $((printed + dropped)) -eq "$count" ]; then
    echo "printed + dropped = produced"
else
    echo "$printed printed + $dropped dropped, $count produced"
    tail -n 5 "$TMP/err"
fi
[ "$dropped" -gt 0 ] && echo "some were dropped"
[ "$(sed -n 's/,//g; s/^dtrace: lost: \([0-9]*\) records\{0,1\} (no room in the buffer of a CPU)$/\1/p' "$TMP/err")" = "$dropped" ] && echo "and lost, says the last line"
grep -v '^dtrace: [0-9]* drops\{0,1\} on CPU [0-9]*$\|^dtrace: lost: ' "$TMP/err"
exit 0
