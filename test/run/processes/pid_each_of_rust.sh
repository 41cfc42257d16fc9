#@ what:    probes on each instruction of functions of a Rust program and its library change nothing of what it computes
#@ needs:   uprobe.multi rust
#@ timeout: 240
../../fire/each_instruction --functions 10 --most 20 --symbols 'core3(fmt|num|str)' "$PROGS/sums" 2 | tail -n 1 | sed -E 's/[1-9][0-9]{2,} instr/many instr/; s/[1-9][0-9]* (entries|returns)/some \1/g'
