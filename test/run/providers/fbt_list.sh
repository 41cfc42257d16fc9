#@ what:    fbt lists a function with its types, and does not list a missing one
$DTRACE -lvn 'fbt::vfs_read:' 2>/dev/null | grep -E 'vfs_read|args' | sed 's/^ *[0-9]* *//; s/  */ /g'
$DTRACE -ln fbt::no_such_function:entry 2>&1 >/dev/null
echo "status $?"
