#@ what:    a Rust program computes the same results while probes are on every instruction of library functions
#@ needs:   uprobe.multi rust
#@ timeout: 240
# Which library functions the program contains and calls depends on the compiler.
. ./each.bash
each --functions 25 --symbols 'core3(fmt|num|str)' "$PROGS/sums" 2
