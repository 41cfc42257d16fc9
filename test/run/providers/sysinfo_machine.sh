#@ what:    sysinfo probes for CPU migrations, idle CPUs, interrupts, traps and calls to other CPUs fire as often as the kernel's own events
#@ needs:   syscall
# (arm64 has no tracepoints for page faults and calls to other processors, so the number of traps cannot be checked there.)
cat >$TMP/work <<'S'
/bin/true
/bin/true
taskset -p 1 $$ >/dev/null
taskset -p 2 $$ >/dev/null
sleep 0.1
S
$DTRACE -Zqn '
rawtp:sched::sched_migrate_task { @a["cpumigrate"] = count(); } sysinfo:::cpumigrate { @b["cpumigrate"] = sum(arg0); }
rawtp:power::cpu_idle /(int)arg0 != -1/ { @a["idlethread"] = count(); } sysinfo:::idlethread { @b["idlethread"] = sum(arg0); }
rawtp:irq::irq_handler_entry { @a["intr"] = count(); } sysinfo:::intr { @b["intr"] = sum(arg0); }
rawtp:exceptions::page_fault_* { @a["trap"] = count(); } sysinfo:::trap { @b["trap"] = sum(arg0); }
rawtp:irq_vectors::call_function_*entry { @a["xcalls"] = count(); } sysinfo:::xcalls { @b["xcalls"] = sum(arg0); }
sysinfo:::sysexec /pid != $target && progenyof($target)/ { execs++; }
END { printa("%s %@d %@d\n", @a, @b); printf("sysexec %d\n", execs); }' \
    -c "sh $TMP/work" |
    awk -v machine=$(uname -m) 'machine == "aarch64" && $1 == "trap" { next } /sysexec/ { print } NF == 3 { counted++; if ($2 == 0 || ($2 - $3) ^ 2 > 25) print } END { print (counted >= 3) }'
