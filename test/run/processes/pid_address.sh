#@ what:    pid$target:a.out:-:ADDRESS places a probe on an address of the program's file
address=$(nm "$PROGS/calls" | awk '$3 == "hidden" { sub(/^0+/, "", $1); print $1 }')
first=R_RDI
[ "$(uname -m)" != aarch64 ] || first=R_X0
$DTRACE -qn "pid\$target:a.out:-:$address { printf(\"%s %d\n\", probefunc, uregs[$first]); }" -c "$PROGS/calls 2"
