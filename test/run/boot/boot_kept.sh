#@ what:    a trace started by --anonymous keeps 20,000 lines of unread output until dtrace -a prints all of them
. ./anonymous.bash
cp "$PROGS/write_sizes" "$TMP/boot_kept"
$DTRACE -A -qn 'syscall::write:entry /execname == "boot_kept" && arg0 == 3/
    { printf("%-100d\n", arg2); }' 2>/dev/null
$DTRACE --anonymous
"$TMP/boot_kept" $(seq 1 20000)
$DTRACE -a -e | awk 'NF { n++; wrong += $1 != n } END { print n, wrong }'
