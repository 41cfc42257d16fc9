#@ what:    -a without -e prints the records collected so far and continues until exit(), whose status dtrace returns
. ./anonymous.bash
cp "$PROGS/write_sizes" "$TMP/goes_on"
$DTRACE -A -qn 'BEGIN { trace(*(int *)0); } BEGIN { printf("kept\n"); }
    syscall::write:entry /execname == "goes_on" && arg0 == 3/ { printf("came\n"); exit(5); }' 2>/dev/null
$DTRACE --anonymous
{ $DTRACE -a -o "$TMP/printed" 2>"$TMP/said"; echo "status $?" >"$TMP/status"; } &
until grep -qs kept "$TMP/printed"; do sleep 0.02; done
"$TMP/goes_on" 1 16 16 4096 >/dev/null
wait
cat "$TMP/printed" "$TMP/status"
grep -o 'invalid address' "$TMP/said"
