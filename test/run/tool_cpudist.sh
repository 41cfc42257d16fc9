#@ what:    cpudist.d: a thread that sleeps a hundred times is put on a CPU as often
#@ needs:   syscall
"$DTRACE" -s cpudist.d -c "$PROGS/sleeper 1" | awk '/^sleeper/ { print $0 } / \|/ { n += $NF } END { print (n >= 99 && n < 1000) }'
