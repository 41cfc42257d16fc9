#@ what:    with -c, function probes fire again soon after the main thread of the process has exited
#@ needs:   syscall
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry /tid != pid/ { exit(7); }' -c "$PROGS/leader_gone" | grep .
echo ${PIPESTATUS[0]}
