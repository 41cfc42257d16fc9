#@ what:    the command of system() is truncated to option strsize
$DTRACE -x strsize=10 -wqn 'BEGIN { system("echo abcdefghijk"); exit(0); }' 2>&1
