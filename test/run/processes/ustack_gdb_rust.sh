#@ what:    user stacks of Rust programs equal gdb's
#@ needs:   syscall gdb rust host
#@ timeout: 60
. ./ustack_gdb.inc
compare Rust "$PROGS/deep_rust" 3000
