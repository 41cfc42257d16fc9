#@ what:    a program can read variables of the process given to -p
#@ needs:   syscall
"$PROGS/globals" 1000000000 &
pid=$!
until [[ "$(readlink "/proc/$pid/exe")" == */globals ]]; do sleep 0.01; done # until the shell has executed the program
$DTRACE -qn 'syscall::getppid:entry /pid == $target && ``counter > 42/ { printf("%d\n", ``large); exit(0); }' -p "$pid"
kill "$pid"
