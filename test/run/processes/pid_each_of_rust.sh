#@ what:    probes on each instruction of functions of a Rust program's library change nothing of what it computes
#@ needs:   uprobe.multi rust
#@ timeout: 240
# Which these are, and which of them are called, depends on the compiler.
. ./each.bash
each --functions 25 --symbols 'core3(fmt|num|str)' "$PROGS/sums" 2
