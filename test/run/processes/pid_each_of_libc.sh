#@ what:    probes on every instruction of C library functions do not change a program's results
#@ needs:   uprobe.multi
#@ timeout: 240
# Elsewhere each probe has an event of its own, and 2,000 take half a minute to detach.
. ./each.bash
each --functions 10 --most 20 "$PROGS/libc_calls" 2
