#@ what:    processes that exit while a tracer with a provider pattern starts are skipped, and all other matching processes are traced
#@ needs:   uprobe
for _ in {1..40}; do
    "$PROGS/market" 2000000000 &
    ending+=($!)
done
"$PROGS/market" 2000000000 &
stays=$!
clauses=300 # so many clauses take some time to compile
[ -z "$DTRACE_GUEST" ] || clauses=30
for ((i = 1; i <= clauses; i++)); do
    echo "shop*:::unwanted /arg0 == -$i/ { trace(arg0); }"
done >"$TMP/many.d"
# After the start of the tracer, the processes are ended one after the other.
$DTRACE -qs "$TMP/many.d" -n "shop*:::sale /pid == $stays/ { printf(\"traced\\n\"); exit(0); }" 2>"$TMP/told" &
tracer=$!
for pid in "${ending[@]}"; do
    kill "$pid"
    wait "$pid" 2>/dev/null
    sleep 0.02
done
wait $tracer
status=$?
kill "$stays"
grep . "$TMP/told" | grep -v 'the process has ended'
exit $status
