#@ what:    with -x sharedvars, clauses in the kernel and clauses that the engine library runs inside the traced program use the same array
#@ timeout: 60
. ./program.bash
serve
"$DTRACE" -qp $program -x sharedvars=threshold,found -n 'int64_t threshold[int], found[int];
    syscall::*poll:entry /pid == $target && !threshold[-7]/ { threshold[-7] = 1500; @ = sum(1); }
    app$target:::request /threshold[-7] && arg1 > threshold[-7]/ { found[arg0]++; threshold[-7] = 1 << 30; @ = sum(10); }
    syscall::*poll:entry /pid == $target && found[0] + found[1] + found[2]/ {
        printf("%d %d %d\n", found[0] + found[1] + found[2], threshold[-7] == 1 << 30, threshold[7]); exit(0); }'
exec 7>&-
wait $program; echo "the program ends: $?"
