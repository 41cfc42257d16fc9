#@ what:    function probes of a -c command fire in other threads after its main thread has exited
#@ needs:   syscall
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry /tid != pid/ { exit(7); }' -c "$PROGS/leader_gone" | grep .
echo ${PIPESTATUS[0]}
