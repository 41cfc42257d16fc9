#@ what:    without -c and -p, a program that uses $target is an error with a hint to these options
$DTRACE -qn 'BEGIN /pid == $target/ { exit(0); }' 2>&1 | grep -o 'without -c COMMAND or -p PID'
$DTRACE -qn 'pid$target:::entry { exit(0); }' 2>&1 | grep -o 'needs -c COMMAND or -p PID'
