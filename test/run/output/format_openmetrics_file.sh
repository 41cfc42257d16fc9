#@ what:    with -x format=prometheus -o FILE, a reader of the file always finds a complete page, finally with the last counts
# The file exists before the run, and keeps its content until the first page replaces it.
echo 'old 1' >"$TMP/page.prom"
chmod 640 "$TMP/page.prom"
"$DTRACE" -qx format=prometheus -x aggevery=1ms -o "$TMP/page.prom" -n '
profile:::tick-1ms { @ticks = count(); n++; } profile:::tick-1ms /n == 200/ { exit(0); }' &
tracer=$!
while kill -0 $tracer 2>/dev/null; do
    cat "$TMP/page.prom" >"$TMP/seen"
    grep -qx 'old 1' "$TMP/seen" || tail -n 1 "$TMP/seen" | grep -qx 'dtrace_weight 1' || echo "a part: $(wc -c <"$TMP/seen") bytes"
done
wait $tracer
grep -E 'ticks' "$TMP/page.prom"
stat -c %a "$TMP/page.prom"
ls "$TMP" | sed -n '/new$/p' | wc -l
