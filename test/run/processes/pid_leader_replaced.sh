#@ what:    function probes keep firing after a thread other than the main thread has replaced the process by exec
#@ needs:   syscall
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/process_end exec" | grep .
