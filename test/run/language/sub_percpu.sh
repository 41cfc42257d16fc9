#@ what:    percpu() is the copy of a per-CPU kernel variable that belongs to a CPU, and raises a fault for a CPU that cannot exist
#@ needs:   data-symbols
last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible)
for ((cpu = 0; cpu <= last; cpu++)); do
	checks+="right += percpu(\`runqueues, $cpu).cpu == $cpu && (&percpu(\`runqueues, $cpu))->idle->pid == 0;"
done
$DTRACE -qn "int n, right; BEGIN { $checks printf(\"%d\\n\", right == $last + 1); }"'
BEGIN { printf("%d %d\n", &percpu(`runqueues, curcpu->cpu_id) == &`runqueues, sizeof(percpu(`runqueues, 0)) == sizeof(struct rq)); }
BEGIN { n = '$last' + 1; trace(percpu(`runqueues, n).cpu); }
BEGIN { n = -1; trace(percpu(`runqueues, n).cpu); }
BEGIN { exit(0); }' 2>&1 | sed 's/.*: index out of bounds/index out of bounds/; s/ at BPF pc .*//; s/('$((last + 1))')/(LAST + 1)/' | LC_ALL=C sort
