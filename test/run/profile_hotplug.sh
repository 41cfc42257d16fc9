#@ what:    a CPU is taken away and comes back while profile and tick run: they go on, profile on the CPU that came back too; what is recorded there is printed
#@ needs:   guest smp
cat >$TMP/away <<'S'
sleep 2
echo 0 >/sys/devices/system/cpu/cpu1/online
sleep 3
echo 1 >/sys/devices/system/cpu/cpu1/online
sleep 3
taskset -c 1 cat /dev/null
S
$DTRACE -qn 'int ticks, stage, before, back;
    syscall::write:entry /progenyof($target) && execname == "sh"/ { stage++; }
    profile-99 /cpu == 1/ { stage == 0 ? before++ : stage == 2 ? back++ : 0; }
    tick-10 { ticks++; }
    syscall::execve:return /progenyof($target) && cpu == 1 && execname == "cat"/ { printf("cat on CPU 1\n"); }
    END { printf("before %d, back %d, ticks %d, writes %d\n", before >= 20, back >= 20, ticks >= 30, stage); }' -c "sh $TMP/away" | sed '/^$/d'
