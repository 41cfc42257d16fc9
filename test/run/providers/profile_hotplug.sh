#@ what:    profile and tick probes still fire after a CPU went offline and came back, and records of that CPU are printed
#@ needs:   guest smp
cat >$TMP/away <<S
wait_for() { until grep -q "\$1" $TMP/out; do sleep 0.1; done; }
wait_for before
echo 0 >/sys/devices/system/cpu/cpu1/online
sleep 1
echo 1 >/sys/devices/system/cpu/cpu1/online
wait_for back
wait_for ticks
taskset -c 1 cat /dev/null
S
$DTRACE -o $TMP/out -qn 'int ticks, stage, before, back;
    syscall::write:entry /progenyof($target) && execname == "sh"/ { stage++; }
    profile-99 /cpu == 1/ { stage == 0 ? before++ : stage == 2 ? back++ : 0; }
    profile-99 /cpu == 1 && stage == 0 && before == 20/ { printf("before\n"); }
    profile-99 /cpu == 1 && stage == 2 && back == 20/ { printf("back\n"); }
    tick-10 { ticks++; }
    tick-10 /ticks == 30/ { printf("ticks\n"); }
    syscall::execve:return /progenyof($target) && cpu == 1 && execname == "cat"/ { printf("cat on CPU 1\n"); }
    END { printf("writes %d\n", stage); }' -c "sh $TMP/away"
sed '/^$/d; s/^ticks$//' $TMP/out | grep . # the lines "ticks" are removed here, because they can be anywhere
grep -c '^ticks$' $TMP/out
