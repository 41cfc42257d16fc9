#@ what:    breakdown(): interrupts that run in the place of a thread that computes are interrupt, as long as it sees its gaps
#@ needs:   syscall host alone
. ./known_parts
cp "$PROGS/interrupted" "$TMP/part_interrupt"
known_parts 'interrupt:interrupt' "sh -c '$TMP/part_interrupt 40 >$TMP/truth'"
