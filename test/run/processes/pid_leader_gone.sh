#@ what:    with -p, functions of a process are traced although its main thread has exited
#@ needs:   syscall
"$PROGS/leader_gone" &
until [ "$(cut -d ' ' -f 3 /proc/$!/stat)" = Z ]; do sleep 0.02; done
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry { printf("%d\n", tid != pid); exit(7); }' -p $!
echo $?
kill $!
