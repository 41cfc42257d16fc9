#@ what:    a machine with only an instruction set description compiles: RISC-V has its system call numbers and registers
#@ needs:   host
reads() {
    $DTRACE -x target=riscv64 -x disasm=2 -e -S -n "$1" 2>&1 | sed -n 's/.*lddw %r[0-9]*, \[%r0+\([0-9]*\)\].*/word \1/p; s/.*, 56, .*/openat/p' | sort -u
}
# struct pt_regs of the kernel: 8 bytes each, a1 is x11, the first argument is kept behind the cause (35), sp is x2
reads 'syscall::openat:entry /arg1 == 7/ { n++; }'
reads 'syscall::openat:entry /arg0 == 7/ { n++; }'
reads 'syscall::openat:entry { n = uregs[R_SP]; }'
$DTRACE -x target=riscv64 -e -n 'syscall:::entry, syscall:::return { @[probefunc, ustack()] = count(); }' && echo all
$DTRACE -x target=riscv64 -e -n 'syscall::open:entry { }' 2>&1 | sed -n 's/^dtrace: //p'
