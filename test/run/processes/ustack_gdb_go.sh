#@ what:    user stacks of Go programs are those that gdb prints
#@ needs:   syscall gdb go host
#@ timeout: 60
. ./ustack_gdb.inc
compare Go "$PROGS/deep_go" 3000
