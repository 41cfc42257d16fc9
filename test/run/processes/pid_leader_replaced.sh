#@ what:    function probes still fire after a thread other than the main thread has called exec
#@ needs:   syscall
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/process_end exec" | grep .
