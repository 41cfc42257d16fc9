#@ what:    if the -o file is renamed and SIGHUP is sent, repeatedly, no record is lost and the order of records is kept
#@ needs:   profile
set -m
log=$TMP/log
$DTRACE -o "$log" -qn 'tick-2ms { printf("%d\n", n++); }' &
written() { until [ -s "$log" ]; do sleep 0.02; done; }
for i in 1 2 3 4 5; do
    written
    mv "$log" "$log.$i"
    kill -HUP $!
done
written
kill -TERM $!
wait $!
echo "status $?"
cat "$log".[1-5] "$log" | awk 'NF && $0 != n++ { wrong = 1 } END { print (n > 5 && !wrong ? "all in order" : "missing") }'
# The folder of the output file was moved: the tracer reports this and keeps writing to the old file.
mkdir "$TMP/folder"
log=$TMP/folder/log
$DTRACE -o "$log" -qn 'BEGIN { printf("begun\n"); } END { printf("end\n"); }' 2>"$TMP/err" &
written
mv "$TMP/folder" "$TMP/moved"
kill -HUP $!
until [ -s "$TMP/err" ]; do sleep 0.02; done
kill -TERM $!
wait $!
echo "status $?"
grep . "$TMP/moved/log"
cat "$TMP/err"
