#@ what:    fbt:::entry attaches to more than 20,000 functions and counts a function's calls exactly
#@ needs:   kprobe kprobe.multi
#@ timeout: 60
$DTRACE -n 'fbt:::entry /pid == $target && probefunc == "vfs_write"/ { @ = count(); } END { printa("%@d calls\n", @); }' -c "$PROGS/writes 100 10" >$TMP/out 2>$TMP/err
sed -n '/calls$/s/.*  *\([0-9]* calls\)/\1/p' $TMP/out
awk '/matched/ { print ($(NF - 1) >= 20000 ? "enough" : $0) }' $TMP/err
