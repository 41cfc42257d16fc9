#@ what:    -x rotate=AGE starts a new -o file when the file reaches this age, and never splits a record
#@ needs:   profile
set -m
log=$TMP/log
$DTRACE -o "$log" -x rotate=1s,3 -qn 'tick-20ms { printf("%d\n", n++); }' &
until [ -s "$log.2" ]; do sleep 0.05; done
kill -TERM $!
wait $!
echo "status $?"
cat "$log.3" "$log.2" "$log.1" "$log" 2>/dev/null | awk 'NF && $0 != n++ { wrong = 1 } END { print (n > 50 && !wrong ? "all in order" : "missing") }'
rm "$log"*
# The age of a file counts from its creation, regardless of later writes by any process.
echo former >"$log"
until [ $(($(date +%s) - $(stat -c %W "$log"))) -gt 2 ]; do sleep 0.2; done
echo former >>"$log"
$DTRACE -o "$log" -x rotate=1m,2,2s -qn 'BEGIN { printf("begun\n"); exit(0); }'
for file in "$log".1 "$log"; do echo "${file##*/} $(grep . "$file" | tr '\n' ' ')"; done
# A file that is younger than the age limit is not rotated: the tracer appends to it.
$DTRACE -o "$log" -x rotate=1m,2,1h -qn 'BEGIN { printf("again\n"); exit(0); }'
grep . "$log"
