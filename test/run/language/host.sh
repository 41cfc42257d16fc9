#@ what:    host is the machine's name: as text, compared, and as a key
#@ needs:   syscall
$DTRACE -qn 'BEGIN { printf("%s\n", host); @[host, 1] = count(); } BEGIN /host == "'"$(uname -n)"'"/ { trace("the same\n"); exit(0); }' | sed "s/$(uname -n)/NAME/g" | tr -s " "
# A program's own variable of that name is its own.
$DTRACE -qn 'string host; BEGIN { host = "mine"; trace(host); exit(0); }'
