#@ what:    pid@BUILDID and NAME@BUILDID match every process that runs a file with this build ID, also processes started later
#@ needs:   uprobe
id=c0b1e50fc0b1e50fc0b1e50fc0b1e50fc0b1e50f
mkdir "$TMP/image"
cp "$PROGS/copies" "$TMP/one"
cp "$PROGS/copies" "$TMP/image/one"
"$TMP/one" 20 "$TMP/go" >"$TMP/served" &
server=$!
until grep -qs serves "$TMP/served"; do sleep 0.1; done
started() { awk '{ print $22 }' "/proc/$1/stat"; } # start time of a process, in ticks of 10 ms
until [ "$(started $server)" != "$(started self)" ]; do sleep 0.01; done
$DTRACE -qn "copies@$id:::request /arg0 == 0 && !said++/ { printf(\"ready\\n\"); }
    pid@$id::handle:entry /arg0 == 100 && !hooked++/ { printf(\"hooked\\n\"); }
    pid@$id::handle:entry /arg0 != 0 && arg0 < 100/ { @[probemod, \"calls\"] = count(); }
    copies@$id:one::request /arg0 != 0 && arg0 < 100/ { @[\"one\", \"requests\"] = count(); }
    copies@$id:::request /arg0 != 0 && arg0 < 100 && ++all == 25/ { exit(0); }" >"$TMP/out" 2>"$TMP/err" &
tracer=$!
until grep -qs ready "$TMP/out"; do
    kill -0 $tracer || exit 1
    sleep 0.1
done
until "$TMP/image/one" alone && grep -q hooked "$TMP/out"; do sleep 0.01; done
touch "$TMP/go"
"$TMP/image/one" 5 "$TMP/go" | grep -v serves
wait $tracer
grep . "$TMP/out" | grep -v "ready\|hooked" | tr -s ' '
sed -n 's/.*request. covered \([0-9]*\) processes, \([0-9]*\) of which appeared after the start.*/\1 \2/p' "$TMP/err" | head -1 | {
    read all later
    echo "$((all - later)) was there before"
}
