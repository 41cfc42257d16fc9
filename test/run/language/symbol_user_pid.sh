#@ what:    symbols of the process given to -p resolve
#@ needs:   syscall
"$PROGS/globals" 1000000000 &
pid=$!
until [[ "$(readlink "/proc/$pid/exe")" == */globals ]]; do sleep 0.01; done # not yet executed, it is still the shell
$DTRACE -qn 'syscall::getppid:entry /pid == $target && ``counter > 42/ { printf("%d\n", ``large); exit(0); }' -p "$pid"
kill "$pid"
