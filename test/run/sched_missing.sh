#@ what:    sched: a probe whose hook this kernel does not have is listed, and names the hook when it is enabled
#@ needs:   host
$DTRACE -ln sched:::on-cpu | grep -c on-cpu
if [ -e /sys/bus/event_source/devices/kprobe ]; then echo "cannot attach"; else $DTRACE -n sched:::on-cpu 2>&1 | grep -o 'cannot attach to kernel function finish_task_switch' | cut -d ' ' -f 1,2; fi
