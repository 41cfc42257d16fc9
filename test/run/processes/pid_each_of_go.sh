#@ what:    probes on each instruction of functions of a Go program and its runtime change nothing of what it computes
#@ needs:   uprobe.multi go
#@ timeout: 240
. ./each.bash
each --functions 10 --most 20 --symbols '^(main|runtime)[.](add|deep|main|mallocgc|new|grow|copy|morestack|memmove|sched|find)' "$PROGS/gopher" 10
