#@ what:    fbt patterns omit functions of idle CPUs, and an exact name matches them
#@ needs:   guest kprobe x86-64
# Only x86-64 has a function default_idle().
$DTRACE -ln 'fbt::default_idle:entry' | awk '/default_idle/ { print $4 }'
$DTRACE -ln 'fbt::default_idl*:entry' 2>&1 | awk '$4 == "default_idle" { print "listed" }'
