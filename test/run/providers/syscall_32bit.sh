#@ what:    system calls of a 32-bit program fire the syscall probe with the name of the call, with its arguments and errors
#@ needs:   syscall
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
$DTRACE -qn 'syscall:::entry /pid == $target/ { @entered[probefunc] = count(); }
    syscall::open:entry /pid == $target/ { printf("open %s %x\n", copyinstr(arg0), arg1); }
    syscall::getppid:entry /pid == $target/ { printf("getppid %d\n", (int)arg0); }
    syscall:::return /pid == $target && errno != 0/ { printf("%s %d %d\n", probefunc, arg0, errno); }
    syscall::semget:entry, syscall::sendfile64:entry /pid == $target/ { printf("%s\n", probefunc); }
    END { printa("%s %@d\n", @entered); }' -c "$PROGS/calls32"
$DTRACE -qn 'syscall::socketcall:entry /pid == $target/ { printf("%s %d\n", probefunc, arg0); }' -c "$PROGS/calls32"
$DTRACE -lvn syscall::socketcall:entry,syscall::getppid:entry,syscall::fork:entry,syscall::shmget:entry | grep 32-bit
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }' -c "$PROGS/calls32" | sed '/^$/d; s/^ *//; s/+.*//'
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { printf("%x", arg0); } syscall::getppid:entry /pid == $target/ { printf(" and %x\n", arg0); }' -c "$PROGS/calls32"
