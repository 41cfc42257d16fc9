#@ what:    the manual's one-liners that need no kernel functions run as they are there, and print what the programs they run beside did
#@ needs:   syscall
#@ timeout: 60
. ./one_liner
cat >$TMP/fight <<S
$PROGS/burn 300 &
$PROGS/burn 300
wait
S
cat >$TMP/fail <<S
$PROGS/syscalls sched_yield 9
cat $TMP/there-is-none 2>/dev/null
true
S
one_liner 'System calls by program' '^ +syscalls +[0-9]+$' -c "$PROGS/syscalls getppid 100"
one_liner 'Failed system calls, by program, call and error' '^ +cat +openat +2 +[0-9]+$' -c "sh $TMP/fail"
one_liner 'Bytes that each program reads' '^ +head +[0-9]{6,}$' -c 'head -c 100000 /dev/zero'
one_liner 'Sizes of writes by program' '^ +4096 \|@+ +1 *$' -c "$PROGS/write_sizes 4096"
one_liner 'Time that reads take, in nanoseconds' '^ +[0-9]+ \|@+ +[0-9]+' -c 'head -c 100000 /dev/zero'
one_liner 'Who makes processes' '^ +sh +[0-9]+ +2$' -c "sh $TMP/fail"
one_liner 'How processes end' '^ +sleeper +exited +1$' -c "$PROGS/sleeper 0"
one_liner 'Signals by sender and receiver' '^ +sh +[0-9]+ +17 +[0-9]+$|^ +syscalls +[0-9]+ +17 +1$' -c "sh $TMP/fail"
one_liner 'Time on the CPU at a stretch' '^ +burn +$' -c "taskset -c 0 sh $TMP/fight"
one_liner 'Time off the CPU' '^ +sleeper +$' -c "$PROGS/sleeper 1"
one_liner 'Run-queue latency' '^ +[0-9]+ \|@+ +[0-9]+' -c "taskset -c 0 sh $TMP/fight"
one_liner 'Who is preempted' '^ +burn +[0-9]+$' -c "taskset -c 0 sh $TMP/fight"
one_liner 'Who wakes whom' '^ +[0-9]+ +[0-9]+ +[0-9]+$' -c "$PROGS/sleeper 1"
one_liner 'CPU use by program' '^ +burn +[0-9]+$' -c "$PROGS/burn 400"
one_liner 'Where a command spends its time' '^ +burn`main +[0-9]+$' -c "$PROGS/burn 400"
one_liner 'Where the kernel spends its time' '^ +vmlinux`[a-z_0-9.]+\+0x' -c 'head -c 1000000000 /dev/zero'
one_liner 'Page faults by program' '^ +touch_pages +[0-9]{3,}$' -c "$PROGS/touch_pages 300"
one_liner 'Every hundredth page fault, by where it happens' '^ +touch_pages +touch_pages`[a-z]+.* +[0-9]+$' -c "$PROGS/touch_pages 1000"
one_liner 'Time that threads wait for mutexes' '^ +locks +$' -c "$PROGS/locks wait 1"
