#@ what:    a provider pattern such as NAME* traces processes that start later, also of files that the tracer has not seen before
#@ needs:   uprobe
cp "$PROGS/market" "$TMP/another"
"$PROGS/market" 2000000000 &
first=$!
$DTRACE -qn "shop*:::sale /pid == $first && !said++/ { printf(\"ready\\n\"); }
             shop*:::close-day { printf(\"%s closes after %d, %s\\n\", execname, arg0, probeprov == \"shop*\" ? probeprov : \"shop\"); }
             shop*:::close-day /arg0 == 12/ { exit(0); }" >"$TMP/out" 2>&1 &
tracer=$!
until grep -qs ready "$TMP/out"; do
    kill -0 $tracer || exit 1
    sleep 0.1
done
for sales in 10 11; do
    "$PROGS/market" $sales
done
# Starts processes until the tracer has traced one. A process is missed if it ends before the tracer has read its file.
while kill -0 $tracer 2>/dev/null; do
    "$TMP/another" 12
done
kill $first
grep . "$TMP/out" | grep -v "covered\|^dtrace: lost: " | sort -u
