#@ what:    an aggregation of 80,000 string keys with histograms loses no count while several kernel maps hold the keys
#@ needs:   syscall
#@ timeout: 60
$DTRACE -qn 'self int i; syscall::getppid:entry /pid == $target/ { @[lltostr(self->i % 80000)] = quantize(self->i / 80000); self->i++; }
    END { printa("%s %@d\n", @); }' -c "$PROGS/storm 160000" >"$TMP/out"
grep -c '^ *0 |@@@@@@@@@@@@@@@@@@@@  *1 *$' "$TMP/out"
grep -c '^ *1 |@@@@@@@@@@@@@@@@@@@@  *1 *$' "$TMP/out"
grep -c '^[0-9][0-9]* *$' "$TMP/out"
