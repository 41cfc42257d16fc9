#@ what:    -x cost times what a program's own engine runs; what is lost there is the same number in the drops, the ledger and the table of firings
#@ timeout: 60
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1
mkfifo input
"$live" --requests 600000 <input >told & program=$!
exec 7>input
until [ -s told ]; do sleep 0.05; done
"$DTRACE" -qp $program -o traced -x cost -x ledger -x firings -n 'BEGIN { printf("ready\n"); } app$target:::request { printf("%d\n", arg1); }' 2>messages & tracer=$!
until grep -q ready traced 2>/dev/null; do sleep 0.05; done
kill -STOP $tracer
echo >&7
wait $program; echo "the program ends: $?"
kill -CONT $tracer
wait $tracer; echo "status $?"
lost=$(sed -n 's/^dtrace: \([0-9]*\) drops in process [0-9]*$/\1/p' messages | awk '{ sum += $1 } END { print sum + 0 }')
# What the table of costs has of the probe, and then that of firings.
sed 's/,//g' messages | awk -v lost="$lost" '
    /room in the buffer of a CPU$/ && $2 == "records" { print ($1 == lost ? "the ledger has it" : "ledger: " $1 " of " lost) }
    / app[0-9]*:live:serve:request$/ { if (NF == 8) print $1, ($3 > 0 && $3 <= $5 ? "timed" : "not timed: " $0); else print $1, $3 + $4, ($4 == lost && lost > 0 ? "likewise" : "firings: " $4 " of " lost) }'
