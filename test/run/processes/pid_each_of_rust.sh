#@ what:    probes on every instruction of Rust library functions do not change a program's results
#@ needs:   uprobe.multi rust
#@ timeout: 240
# Which library functions the program contains and calls depends on the compiler.
. ./each.bash
each --functions 25 --symbols 'core3(fmt|num|str)' "$PROGS/sums" 2
