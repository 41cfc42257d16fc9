#@ what:    for clauses that the engine library runs inside the traced program, -x hits counts filtered, recorded and lost hits of each probe and clause
#@ timeout: 60
. ./program.bash
serve --requests 3000
"$DTRACE" -qp $program -x hits -n 'BEGIN { printf("ready\n"); } app$target:::request /arg0 == 1/ { printf("."); } app$target:::answer { @ = count(); }' >traced 2>messages & tracer=$!
begins
wait $program; echo "the program ends: $?"
wait $tracer; echo "status $?"
grep -o '\.*' traced | awk '{ n += length($0) } END { print n " records" }'
sed "s/$program/N/" messages
