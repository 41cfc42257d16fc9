#@ what:    user stacks of Rust programs are those that gdb prints
#@ needs:   syscall gdb rust host
#@ timeout: 60
. ./ustack_gdb.inc
compare Rust "$PROGS/deep_rust" 3000
