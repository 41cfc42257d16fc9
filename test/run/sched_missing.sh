#@ what:    sched: a probe whose hook this kernel does not have is listed, names the hook when it is enabled, and is left out of a pattern
#@ needs:   no-kprobe
$DTRACE -ln sched:::on-cpu | grep -c on-cpu
$DTRACE -n sched:::on-cpu 2>&1 | grep -o 'cannot attach to kernel function finish_task_switch'
$DTRACE -qn 'sched:::o*-cpu { @ = count(); } tick-50ms { exit(0); }' 2>&1 | grep -o 'cannot attach sched:vmlinux::on-cpu: cannot attach to kernel function finish_task_switch'
