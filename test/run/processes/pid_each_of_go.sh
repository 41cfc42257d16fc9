#@ what:    a Go program computes the same results while probes are on every instruction of its functions
#@ needs:   uprobe.multi go
#@ timeout: 240
. ./each.bash
each --functions 10 --most 20 --symbols '^(main|runtime)[.](add|deep|main|mallocgc|new|grow|copy|morestack|memmove|sched|find)' "$PROGS/gopher" 10
