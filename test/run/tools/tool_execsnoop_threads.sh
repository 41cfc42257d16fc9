#@ what:    execsnoop.d shows the process id of a program that a thread other than the main thread started
#@ needs:   syscall
"$DTRACE" -qs execsnoop.d -n 'END { printf("target %d\n", $target); }' -c "$PROGS/process_end exec" |
    awk '/exe done|process_end done/ { pid = $4 } /programs? started/ { started = $1 } /^target/ { print started, pid == $2 }'
