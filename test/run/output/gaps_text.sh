#@ what:    -x drops prints a line at each place where records are missing; without -x drops, text output has no such lines
# A buffer of 16 bytes has space for the numbers, but not for the text or for exit() at the end.
for ledger in on off; do
    taskset -c 0 $DTRACE -x drops=$ledger -b 16 -x strsize=8 -qn 'BEGIN { trace(1); } BEGIN { trace("a text"); } BEGIN { printf("two\n"); } BEGIN { exit(0); }' 2>/dev/null
    echo "; $ledger"
done
DTRACE_REPRODUCIBLE= taskset -c 0 $DTRACE -x drops -b 16 -x strsize=8 -qn 'BEGIN { trace(1); } BEGIN { trace("a text"); } BEGIN { trace(2); } BEGIN { exit(0); }' 2>/dev/null |
    grep -cE '^1 lost here, [0-9]+\.[0-9] ms$'
