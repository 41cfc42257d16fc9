#@ what:    clear() and trunc() also change keys that did not fit into the aggregation's first kernel map
#@ needs:   syscall
#@ timeout: 60
script='syscall::getppid:entry /pid == $target/ { @[self->i++] = count(); }'
run() { $DTRACE -qn "$script END { $1 }" -c "$PROGS/storm 100000" 2>&1; }
run 'printa("%d %@d\n", @);' | awk 'NF == 2 && $2 == 1 { n++ } END { print n, "ones" }'
run 'clear(@); printa("%d %@d\n", @);' | awk 'NF == 2 && $2 == 0 { n++ } END { print n, "zeros" }'
run 'trunc(@, 3); printa("%d %@d\n", @);'
run 'trunc(@); printa("%d %@d\n", @);' | wc -w
