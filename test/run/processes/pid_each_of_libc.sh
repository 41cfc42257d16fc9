#@ what:    a program computes the same results while probes are on every instruction of C library functions
#@ needs:   uprobe.multi
#@ timeout: 240
# Without uprobe.multi each probe has its own event, and detaching 2,000 of them takes half a minute.
. ./each.bash
each --functions 10 --most 20 "$PROGS/libc_calls" 2
