#@ what:    while the reader of stdout is blocked, the run and its error messages continue, and the reader later gets all output
#@ needs:   syscall
mkfifo "$TMP/pipe"
exec 3<>"$TMP/pipe"
$DTRACE -qn 'BEGIN { printf("begun %0200000d\n", 1); } tick-10ms /n++ == 3/ { trace(*(int *)8); } tick-10ms /n == 6/ { printf("last\n"); exit(3); }' \
    >"$TMP/pipe" 2>"$TMP/err" 3>&- &
pid=$!
until grep -qs 'invalid address' "$TMP/err"; do sleep 0.05; done
exec 4<"$TMP/pipe" 3>&-
cat <&4 >"$TMP/out"
wait $pid
echo "status $?"
wc -c <"$TMP/out"
tr -d 0 <"$TMP/out"
grep -c 'invalid address' "$TMP/err"
