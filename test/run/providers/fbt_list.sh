#@ what:    -lv lists a kernel function with the types of its arguments and result, and -l of a missing function fails
$DTRACE -lvn 'fbt::vfs_read:' 2>/dev/null | grep -E 'vfs_read|args' | sed 's/^ *[0-9]* *//; s/  */ /g'
$DTRACE -ln fbt::no_such_function:entry 2>&1 >/dev/null
echo "status $?"
