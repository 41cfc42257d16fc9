#@ what:    output of system() commands appears in order with printf() output
$DTRACE -wqn 'BEGIN { printf("1\n"); system("echo %s %d", "two", 2); printf("3\n"); exit(0); }' 2>&1 | cat
