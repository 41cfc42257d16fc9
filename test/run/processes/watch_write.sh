#@ what:    watchpoints count each write of a variable by three threads, one of which starts later, and name the writing function
#@ needs:   x86-64
$DTRACE -qn 'watch$target:a.out:shared:write { @[ustack(1)] = count(); }' -c "$PROGS/writers 5000" |
    sed -n 's/^ *writers`\([a-z_]*\).*/\1/p; s/^ *\([0-9][0-9]*\)$/\1/p'
