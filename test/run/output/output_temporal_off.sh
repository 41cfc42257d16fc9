#@ what:    with option temporal=off, all records of one CPU print before those of the next CPU
taskset -c 0 $DTRACE -x temporal=off -x cpu=0 -qn 'BEGIN { printf("1\n"); } BEGIN { printf("2\n"); } tick-1ms { printf("3\n"); exit(0); } END { printf("4\n"); }' 
