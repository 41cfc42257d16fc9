#@ what:    stacks of Go have the frames that gdb shows of the same process
#@ needs:   syscall gdb go host
#@ timeout: 60
. ./ustack_gdb.inc
compare Go "$PROGS/deep_go" 3000
