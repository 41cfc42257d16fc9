#@ what:    offset 0 is the function's first instruction, with registers but no arguments
first=R_RDI
[ "$(uname -m)" != aarch64 ] || first=R_X0
$DTRACE -qn "pid\$target:a.out:hidden:0 { printf(\"%s %d %d\n\", probename, arg0, uregs[$first]); }" -c "$PROGS/calls 2"
