#@ what:    on a terminal the same fault of the same place is told once and then counted; with errtags each has its line
#@ needs:   syscall
export DTRACE_REPRODUCIBLE=
faults() { script -qec "$DTRACE -q $1 -n 'syscall::getppid:entry /pid == \$target/ { trace(1 / (arg0 - arg0)); }' -c '$PROGS/syscalls getppid 1300'" /dev/null; }
faults '' | tr -d '\r' | sed 's/pc [0-9]*/pc N/; s/ID [0-9]*/ID N/'
faults '-x errtags' | grep -c divide-by-zero
