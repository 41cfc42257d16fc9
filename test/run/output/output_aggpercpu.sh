#@ what:    option aggpercpu prints the value of each CPU after the total
taskset -c 0 $DTRACE -x aggpercpu -qn 'BEGIN { @["x"] = sum(5); exit(0); }' | sed -n '1,2p' 
