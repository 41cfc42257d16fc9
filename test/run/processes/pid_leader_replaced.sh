#@ what:    functions are traced on when a thread that is not the first one has become the process by exec
#@ needs:   syscall
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/process_end exec" | grep .
