#@ what:    a tracer of a real-time class, on one CPU with what it traces, waits without taking that CPU from itself
#@ needs:   syscall
# The thread that holds the process used to look again and again until who had asked it went on, who never had the CPU.
cpu=$(taskset -pc $$ | sed 's/.*[:,-] *//')
timeout -k 1 120 chrt -f 1 taskset -c "$cpu" $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa(@); }' -c "$PROGS/storm 1000" 2>&1 | tr -d ' \n'
