#@ what:    a probe on offset 0 of a function fires at its first instruction; uregs[] is available and arg0 is 0
first=R_RDI
[ "$(uname -m)" != aarch64 ] || first=R_X0
$DTRACE -qn "pid\$target:a.out:hidden:0 { printf(\"%s %d %d\n\", probename, arg0, uregs[$first]); }" -c "$PROGS/calls 2"
