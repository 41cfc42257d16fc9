#@ what:    the output of a system() command appears between the printf() output before and after it
$DTRACE -wqn 'BEGIN { printf("1\n"); system("echo %s %d", "two", 2); printf("3\n"); exit(0); }' 2>&1 | cat
