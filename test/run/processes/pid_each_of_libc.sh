#@ what:    probes on each instruction of the C library's functions change nothing of what a program that calls them computes
#@ needs:   uprobe.multi
#@ timeout: 240
# Elsewhere each probe has an event of its own, and 2,000 take half a minute to detach.
. ./each.bash
each --functions 10 --most 20 "$PROGS/libc_calls" 2
