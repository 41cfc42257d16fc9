#@ what:    an address in the program's file can be probed as an offset of function "-"
address=$(nm "$PROGS/calls" | awk '$3 == "hidden" { sub(/^0+/, "", $1); print $1 }')
first=R_RDI
[ "$(uname -m)" != aarch64 ] || first=R_X0
$DTRACE -qn "pid\$target:a.out:-:$address { printf(\"%s %d\n\", probefunc, uregs[$first]); }" -c "$PROGS/calls 2"
