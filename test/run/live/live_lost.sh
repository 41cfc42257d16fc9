#@ what:    a stopped tracer does not delay a program whose engine library runs D clauses, and records for which the buffer has no space are counted as lost
#@ timeout: 60
. ./program.bash
serve --requests 600000
"$DTRACE" -qp $program -o traced -n 'BEGIN { printf("ready\n"); } app$target:::request { printf("%d\n", arg1); n++; } END { printf("fired %d\n", n); }' 2>messages & tracer=$!
begins $tracer
wait $program; echo "the program ends: $?"
kill -CONT $tracer
wait $tracer; echo "status $?"
lost=$(drops)
recorded=$(grep -c '^[0-9]' traced)
grep fired traced
echo "recorded and lost: $((recorded + lost))"
[ "$lost" -gt 0 ] && [ "$recorded" -gt 0 ] && echo "some of both"
