#@ what:    sched:::dequeue fires when a thread goes to sleep and sched:::enqueue when it wakes up, with the thread's CPU
#@ needs:   syscall
# The program is pinned to one CPU, because moving a waiting thread to another CPU also dequeues it.
$DTRACE -qn 'int in, out, front, elsewhere, put, here, woke;
    sched:::enqueue /args[0]->pr_lwpid == $target/ { in++; front += args[3]; put = args[2]->cpu_id; }
    sched:::dequeue /args[1]->pr_pid == $target && pid == $target/ { out++; elsewhere += args[2]->cpu_id != cpu || args[2]->cpu_chip != chip; }
    syscall::*nanosleep:return /pid == $target && out/ { here += cpu == put; woke++; }
    END { printf("%d %d %d %d %d\n", in >= 20, in - out <= 2 && out - in <= 2, front, elsewhere, here >= woke / 2); }' -c "taskset -c 0 $PROGS/sleeper 1" | sed '/^$/d'
