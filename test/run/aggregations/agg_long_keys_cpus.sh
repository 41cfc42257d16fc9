#@ what:    keys of more than 512 bytes add up over all CPUs, whether most of their bytes are zeros or not
#@ needs:   syscall
$DTRACE -qn 'BEGIN { longest = "0123456789012345678901234567890123456789012345678901234567890123456789"; }
    syscall::getppid:entry /progenyof($target) && execname == "storm"/ { @[execname, "short", longest] = sum(2); @[execname, longest, "short"] = sum(1); }
    END { printa("%s %.5s %.5s %@d\n", @); }' -c "sh -c 'taskset -c 0 $PROGS/storm 1000; taskset -c 1 $PROGS/storm 1000'" | grep .
