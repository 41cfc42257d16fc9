#@ what:    a name that no argument of a function has is one error, which lists the names of the arguments
"$DTRACE" -x errors=json -n 'pid$target:a.out:shop*both*:entry { trace(args.parts); }' -c "$PROGS/typed_cxx" 2>&1 |
	grep -o '"tag":"[^"]*"\|"hint":"[^"]*"'
