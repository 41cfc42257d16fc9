#@ what:    at a million hits a second of probes that the engine library runs inside the traced program, each hit is recorded or counted as lost
#@ timeout: 60
. ./program.bash
serve --rate 1000000 1
"$DTRACE" -qp $program -o traced -x hits -n 'BEGIN { printf("ready\n"); } app$target:::request { printf("%d\n", arg1); n++; } END { printf("fired %d\n", n); }' 2>messages & tracer=$!
begins
wait $program; echo "the program ends: $?"
wait $tracer; echo "status $?"
lost=$(drops)
grep fired traced
echo "recorded and lost: $(($(grep -c '^[0-9]' traced) + lost))"
