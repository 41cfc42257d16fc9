#@ what:    arguments of system calls are correct in predicates, if and ?:, for 32-bit and 64-bit programs
#@ needs:   syscall
[ -x "$PROGS/arguments32" ] && "$PROGS/arguments32" 2>/dev/null || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
for program in arguments arguments32; do
    $DTRACE -qn 'syscall::futex:entry
        /pid == $target && arg0 == 1 && arg1 == 102 && arg2 == 3 && arg3 == 4 && arg4 == 5 && arg0 < arg4/
        { printf("%d %d %d %d %d %x\n", arg0, arg1, arg2, arg3, arg4, arg5); }' -c "$PROGS/$program"
    $DTRACE -qn 'syscall::futex:entry { self->is_ours = pid == $target; }
        syscall::futex:entry /self->is_ours && (arg0 == 2 || arg2 == 3 || arg5 == 1)/ { printf("%d\n", arg1 == 102 ? arg2 : arg3); }
        syscall::futex:entry /self->is_ours && !(arg0 == 1 && arg1 == 103)/
        {
            if (arg4 == 5) { printf("%d\n", arg3); } else { printf("%d\n", arg2); }
            self->sum = arg0 + arg1;
            printf("%d\n", self->sum + arg2);
        }' -c "$PROGS/$program"
done
