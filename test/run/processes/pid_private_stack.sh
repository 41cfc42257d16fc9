#@ what:    programs of pid probes contain a tail call, which makes the kernel use its ordinary stack; programs of system call probes contain none
calls() { $DTRACE -x disasm=2 -Sen "$1 { @ = count(); }" -c "$PROGS/calls 1" 2>&1 | grep -c 'call bpf_tail_call' || true; }
calls 'pid$target:a.out:main:entry'
calls 'syscall:::entry'
