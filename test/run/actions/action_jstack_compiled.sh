#@ what:    stacks and symbols show functions compiled at run time by the names that the process wrote to /tmp/perf-PID.map
#@ needs:   syscall
call=0x6 # offset of the return address in the function that progs/jit compiles
[ "$(uname -m)" != aarch64 ] || call=0xc
$DTRACE -qn '
    syscall::getppid:entry /pid == $target/ { printf("%d", pid); jstack(2); usym(ucaller); @[umod(ucaller), ustack(2)] = count(); }
    END { printf("\n"); printa("%A%k%@d\n", @); }' -c "$PROGS/jit" >"$TMP/out"
pid=$(head -1 "$TMP/out")
rm -f "/tmp/perf-$pid.map"
sed "1d; s/inner+0x[0-9a-f]*/inner/; s/blanks+$call/blanks+CALL/; s/^ *//; s/ *$//; /^$/d" "$TMP/out"
