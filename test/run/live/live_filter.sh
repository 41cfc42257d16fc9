#@ what:    a filter that the tracer loads into a running program counts events there, and the program continues after the trace
#@ timeout: 60
. ./program.bash
serve --requests 30000
"$DTRACE" -l -p $program -n 'app*:::' | awk 'NR > 1 { sub(/[0-9]+/, "N", $2); print $2, $3, $4, $5 }'
"$DTRACE" -qp $program -n 'BEGIN { printf("ready\n"); } app$target:::request /arg1 > 1990/ { @[arg0] = sum(arg1); @n = count(); @name[copyinstr(arg2)] = max(args[1]); last = pid == $target; }
    END { printf("%d\n", last); }' >traced & tracer=$!
begins
wait $tracer
wait $program && echo "the program has ended well"
cat traced
