#@ what:    pid programs contain a tail call that prevents the kernel from using private stacks; system call programs contain none
calls() { $DTRACE -x disasm=2 -Sen "$1 { @ = count(); }" -c "$PROGS/calls 1" 2>&1 | grep -c 'call bpf_tail_call' || true; }
calls 'pid$target:a.out:main:entry'
calls 'syscall:::entry'
