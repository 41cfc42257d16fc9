#@ what:    probes on each instruction of functions of a Go program and its runtime change nothing of what it computes
#@ needs:   uprobe.multi go
#@ timeout: 240
../../fire/each_instruction --functions 10 --most 20 --symbols '^(main|runtime)[.](add|deep|main|mallocgc|new|grow|copy|morestack|memmove|sched|find)' "$PROGS/gopher" 10 | tail -n 1 | sed -E 's/[1-9][0-9]{2,} instr/many instr/; s/[1-9][0-9]* (entries|returns)/some \1/g'
