#@ what:    with evaltime=exec, system calls of a command's dynamic loader are traced, and with evaltime=main only later ones
#@ needs:   syscall
count() { $DTRACE -x evaltime="$1" -qn 'syscall:::entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/two_stacks 3"; }
[ "$(count exec)" -gt 10 ] && echo "the loader is traced"
count main # four calls: three of getppid() and one of exit_group()
