#@ what:    host is the name of the machine, in output, comparisons and keys
#@ needs:   syscall
$DTRACE -qn 'BEGIN { printf("%s\n", host); @[host, 1] = count(); } BEGIN /host == "'"$(uname -n)"'"/ { trace("the same\n"); exit(0); }' | sed "s/$(uname -n)/NAME/g" | tr -s " "
# A variable that the program declares as host hides the built-in one.
$DTRACE -qn 'string host; BEGIN { host = "mine"; trace(host); exit(0); }'
