#@ what:    breakdown() counts interrupts of a computing thread as part "interrupt", and differs by at most 2 % or 1 ms from the test program's measurement
#@ needs:   syscall host alone
. ./known_parts
for part in interrupt still; do cp "$PROGS/interrupted" "$TMP/part_$part"; done
known_parts 'interrupt:interrupt still:cpu' "sh -c '$TMP/part_still 200 still >$TMP/truth && $TMP/part_interrupt 200 >>$TMP/truth'"
