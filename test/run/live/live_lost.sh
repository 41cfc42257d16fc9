#@ what:    a tracer that stands still keeps no program waiting; what finds no room is counted, and the sum is what fired
#@ timeout: 60
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1
mkfifo input
"$live" --requests 600000 <input >told & program=$!
exec 7>input
until [ -s told ]; do sleep 0.05; done
"$DTRACE" -qp $program -o traced -n 'BEGIN { printf("ready\n"); } app$target:::request { printf("%d\n", arg1); n++; } END { printf("fired %d\n", n); }' 2>messages & tracer=$!
until grep -q ready traced 2>/dev/null; do sleep 0.05; done
kill -STOP $tracer
echo >&7
wait $program; echo "the program ends: $?"
kill -CONT $tracer
wait $tracer; echo "status $?"
lost=$(sed -n 's/^dtrace: \([0-9]*\) drops in process [0-9]*$/\1/p' messages | awk '{ sum += $1 } END { print sum + 0 }')
recorded=$(grep -c '^[0-9]' traced)
grep fired traced
echo "recorded and lost: $((recorded + lost))"
[ "$lost" -gt 0 ] && [ "$recorded" -gt 0 ] && echo "some of both"
