#@ what:    -x sharedvars refuses arrays that do not exist or whose key or value is not an integer
no() { "$DTRACE" -x errtags -x sharedvars="$1" -n "$2" 2>&1 | sed -n 's/.*: \(\[.*\)/\1/p'; }
no seen 'BEGIN { seen[execname] = 1; exit(0); }'
no seen 'BEGIN { seen[1, 2] = 1; exit(0); }'
no self 'BEGIN { self->name = execname; exit(0); }'
no seen,other 'BEGIN { seen[1] = 1; exit(0); }'
