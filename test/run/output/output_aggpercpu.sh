#@ what:    aggpercpu: the value of each CPU after the value
taskset -c 0 $DTRACE -x aggpercpu -qn 'BEGIN { @["x"] = sum(5); exit(0); }' | sed -n '1,2p' 
