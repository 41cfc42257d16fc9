#@ what:    more watchpoints than the processor has breakpoint registers are an error that names the first one without a register
#@ needs:   x86-64 alone
#@ status:  1
#@ stderr:  exact
clauses=
for address in 00 08 10 18 20 28; do
    clauses="$clauses watch\$target:0x4040$address/1::write { }"
done
# another tracer may use one of the four registers
$DTRACE -qn "$clauses" -c "$PROGS/writers 1" 2>&1 | sed 's/watchpoint [45]/watchpoint N/; s/the [34] watchpoints/the M watchpoints/' >&2
exit 1
