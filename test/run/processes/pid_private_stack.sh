#@ what:    programs of pid probes contain a tail call, so that the kernel runs them on its ordinary stack; programs of system call probes contain no tail call
calls() { $DTRACE -x disasm=2 -Sen "$1 { @ = count(); }" -c "$PROGS/calls 1" 2>&1 | grep -c 'call bpf_tail_call' || true; }
calls 'pid$target:a.out:main:entry'
calls 'syscall:::entry'
