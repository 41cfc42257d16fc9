#@ what:    -x hits counts a hit as lost if a full buffer drops its record; filtered, recorded and lost hits add up to all hits
#@ needs:   syscall
$DTRACE -x hits -x bufsize=4k -qn 'syscall::getppid:entry /pid == $target/ { printf("%0500d\n", 1); }' -c "$PROGS/storm 20000 1" >"$TMP/out" 2>"$TMP/err"
drops=$(awk '/ drops? on CPU/ { n += $2 } END { print n + 0 }' "$TMP/err")
awk -v printed="$(grep -c '^0*1$' "$TMP/out")" -v drops="$drops" '/vmlinux:getppid/ {
    print "recorded as printed:", ($3 == printed), " lost as told:", ($4 == drops), " all:", ($1 == $2 + $3 + $4 && $3 + $4 == 20000) }' "$TMP/err"
