#@ what:    a tracer with real-time priority on the CPU of its target ends in time, because its threads wait without polling
#@ needs:   syscall
# In an earlier version, a real-time thread of the tracer polled for an action of another thread, which therefore never got the CPU.
cpu=$(taskset -pc $$ | sed 's/.*[:,-] *//')
timeout -k 1 120 chrt -f 1 taskset -c "$cpu" $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa(@); }' -c "$PROGS/storm 1000" 2>&1 | tr -d ' \n'
