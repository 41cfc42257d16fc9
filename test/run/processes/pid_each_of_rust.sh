#@ what:    probes on each instruction of functions of a Rust program's library change nothing of what it computes
#@ needs:   uprobe.multi rust
#@ timeout: 240
# Which these are, and which of them are called, depends on the compiler.
../../fire/each_instruction --functions 25 --symbols 'core3(fmt|num|str)' "$PROGS/sums" 2 | tail -n 1 |
    sed -E 's/^[1-9][0-9]* functions in [1-9][0-9]* runs/functions/; s/[1-9][0-9]{2,} instr/many instr/; s/[1-9][0-9]* (entries|returns)/some \1/g'
