#@ what:    option aggpercpu prints the value of each CPU below the total of a key
taskset -c 0 $DTRACE -x aggpercpu -qn 'BEGIN { @["x"] = sum(5); exit(0); }' | sed -n '1,2p' 
