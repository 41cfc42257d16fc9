#@ what:    exitsnoop.d shows a process once, with its name and status, even if its main thread exited first
#@ needs:   syscall
ended() { awk 'NF == 7 && NR > 1 { print $5, $6, $7 }'; }
"$DTRACE" -s exitsnoop.d process_end -c "$PROGS/process_end leader" | ended
"$DTRACE" -s exitsnoop.d -c "$PROGS/process_end exec" | ended # the program executes itself as /proc/self/exe
