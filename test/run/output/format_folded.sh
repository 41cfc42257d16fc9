#@ what:    -x format=folded prints other keys and then the stack, outermost frame first, and omits aggregations without stack
#@ needs:   syscall
$DTRACE -x format=folded -n 'syscall::getppid:entry /pid == $target/ { trace(1); @s[arg0, ustack()] = sum(arg0); @n[arg0] = count(); @q[ustack()] = avg(1); }' \
    -c "$PROGS/two_stacks 3" 2>&1 | grep -v ' matched ' | sed 's/;.*;main;/;LIBC;main;/; s/\(down;left;\)\{10,\}/MANY;/'
