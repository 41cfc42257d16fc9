#@ what:    option temporal=off prints the records of one CPU after another, each CPU's in order
taskset -c 0 $DTRACE -x temporal=off -x cpu=0 -qn 'BEGIN { printf("1\n"); } BEGIN { printf("2\n"); } tick-1ms { printf("3\n"); exit(0); } END { printf("4\n"); }' 
