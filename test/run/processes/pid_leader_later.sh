#@ what:    -c: functions of a process are traced on, at the latest a while after its first thread has ended
#@ needs:   syscall
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry /tid != pid/ { exit(7); }' -c "$PROGS/leader_gone" | grep .
echo ${PIPESTATUS[0]}
