#@ what:    runqlat.d: a thread that sleeps a hundred times waits for a CPU at least as often
#@ needs:   syscall
"$DTRACE" -s runqlat.d -c "$PROGS/sleeper 1" | awk '/^microseconds/ { print $0 } / \|/ { n += $NF } END { print (n >= 100 && n < 1000) }'
