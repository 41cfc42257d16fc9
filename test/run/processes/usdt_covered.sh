#@ what:    a provider pattern NAME* traces processes that start later from their first instruction on, and a message at the end says how many processes were traced
#@ lost:    not_attached
#@ needs:   uprobe
covered() { # OPTIONS: traces a program and its later processes with these options
    rm -f "$TMP"/*
    "$PROGS/serves" 20 "$TMP/go" >"$TMP/served" &
    server=$!
    until grep -qs serves "$TMP/served"; do sleep 0.1; done
    $DTRACE $* -n 'serves*:::request /arg0 == 0 && !said++/ { printf("ready\n"); } serves*:::request /arg0 != 0/ { @["requests"] = count(); }
                   serves*:::request /arg0 == 100 && ++others == 3/ { exit(0); }' >"$TMP/out" 2>"$TMP/err" &
    tracer=$!
    until grep -qs ready "$TMP/out"; do
        kill -0 $tracer || exit 1
        sleep 0.1
    done
    touch "$TMP/go"
    wait $server
    for i in 1 2 3; do
        "$PROGS/serves" alone || echo "not enabled"
    done
    wait $tracer
    grep requests "$TMP/out" | tr -s ' '
    grep saw "$TMP/served"
    grep -v matched "$TMP/err"
}
covered
echo "quiet:"
covered -q
covered -q -x errors=json
echo "what is missed:"
rm -f "$TMP"/*
cp "$PROGS/serves" "$TMP/another"
$DTRACE -Z -x drops -qn 'BEGIN { printf("ready\n"); } serves*:::request { exit(0); }' >"$TMP/out" 2>&1 &
tracer=$!
until grep -qs ready "$TMP/out"; do sleep 0.1; done
"$TMP/another" 0 "$TMP/none" >"$TMP/served" &
server=$!
wait $tracer
kill $server
grep 'covered\|not_attached' "$TMP/out" | sed 's/[0-9.]* ms/N ms/; s/  */ /g; s/, between .*//'
