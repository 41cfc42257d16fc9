#@ what:    execsnoop.d: a program that a thread other than the first one starts is shown with the number of its process
#@ needs:   syscall
"$DTRACE" -qs execsnoop.d -n 'END { printf("target %d\n", $target); }' -c "$PROGS/process_end exec" |
    awk '/exe done|process_end done/ { pid = $4 } /programs? started/ { started = $1 } /^target/ { print started, pid == $2 }'
