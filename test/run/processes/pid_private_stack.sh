#@ what:    what is attached to functions of processes has a call that keeps the kernel from giving it one stack a CPU; what cannot be preempted has none
calls() { $DTRACE -x disasm=2 -Sen "$1 { @ = count(); }" -c "$PROGS/calls 1" 2>&1 | grep -c 'call bpf_tail_call' || true; }
calls 'pid$target:a.out:main:entry'
calls 'syscall:::entry'
