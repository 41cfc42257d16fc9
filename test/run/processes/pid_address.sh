#@ what:    an address in the program's file is a probe of the function "-"
address=$(nm "$PROGS/calls" | awk '$3 == "hidden" { sub(/^0+/, "", $1); print $1 }')
$DTRACE -qn "pid\$target:a.out:-:$address { printf(\"%s %d\n\", probefunc, uregs[R_RDI]); }" -c "$PROGS/calls 2"
