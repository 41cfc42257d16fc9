#@ what:    -x firings counts what a program's own engine runs as it counts the kernel's: filtered, recorded, lost, by probe and by clause
#@ timeout: 60
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1
mkfifo input
"$live" --requests 3000 <input >told & program=$!
exec 7>input
until [ -s told ]; do sleep 0.05; done
"$DTRACE" -qp $program -x firings -n 'BEGIN { printf("ready\n"); } app$target:::request /arg0 == 1/ { printf("."); } app$target:::answer { @ = count(); }' >traced 2>messages & tracer=$!
until grep -q ready traced 2>/dev/null; do sleep 0.05; done
echo >&7
wait $program; echo "the program ends: $?"
wait $tracer; echo "status $?"
grep -o '\.*' traced | awk '{ n += length($0) } END { print n " records" }'
sed "s/$program/N/" messages
