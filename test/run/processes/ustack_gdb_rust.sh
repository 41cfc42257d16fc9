#@ what:    stacks of Rust have the frames that gdb shows of the same process
#@ needs:   syscall gdb rust host
#@ timeout: 60
. ./ustack_gdb.inc
compare Rust "$PROGS/deep_rust" 3000
