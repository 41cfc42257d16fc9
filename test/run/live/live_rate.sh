#@ what:    a program that fires a million times a second loses nothing that is not counted
#@ timeout: 60
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1
mkfifo input
"$live" --rate 1000000 1 <input >told & program=$!
exec 7>input
until [ -s told ]; do sleep 0.05; done
"$DTRACE" -qp $program -o traced -x firings -n 'BEGIN { printf("ready\n"); } app$target:::request { printf("%d\n", arg1); n++; } END { printf("fired %d\n", n); }' 2>messages & tracer=$!
until grep -q ready traced 2>/dev/null; do sleep 0.05; done
echo >&7
wait $program; echo "the program ends: $?"
wait $tracer; echo "status $?"
lost=$(sed -n 's/^dtrace: \([0-9]*\) drops in process [0-9]*$/\1/p' messages | awk '{ sum += $1 } END { print sum + 0 }')
grep fired traced
echo "recorded and lost: $(($(grep -c '^[0-9]' traced) + lost))"
