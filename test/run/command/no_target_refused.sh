#@ what:    $target without a process is refused with a hint to -c and -p
$DTRACE -qn 'BEGIN /pid == $target/ { exit(0); }' 2>&1 | grep -o 'without -c COMMAND or -p PID'
$DTRACE -qn 'pid$target:::entry { exit(0); }' 2>&1 | grep -o 'needs -c COMMAND or -p PID'
