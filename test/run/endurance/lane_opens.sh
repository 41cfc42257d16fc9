#@ what:    when the tracer switches to mmap rings during a high rate of records, it prints all records in order
#@ needs:   syscall
"$PROGS/syscalls" getppid 1000000000 &
target=$!
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", ++n); }
    syscall::getppid:return /pid == $target/ { printf("%d %d\n", ++n, timestamp); } END { printf("all %d\n", n); }' -p "$target" >"$TMP/out" 2>"$TMP/err" &
tracer=$!
# Function "lanes": succeeds if the tracer has an mmap ring, a map of slightly more than two megabytes.
lanes() { grep -qsE 'value_size:\s2[0-9]{6}$' /proc/"$tracer"/fdinfo/*; }
until lanes; do kill -0 "$tracer" || break; sleep 0.05; done
lines=$(wc -l <"$TMP/out")
until (($(wc -l <"$TMP/out") > lines + 100000)); do kill -0 "$tracer" || break; sleep 0.05; done
kill "$target"
wait "$tracer"
echo "status $?"
dropped=$(awk '/ drops? on CPU / { n += $2 } END { print n + 0 }' "$TMP/err")
awk -v dropped="$dropped" '/^all/ { all = $2; next } NF { if ($1 <= last) back++; last = $1; n++ } END { print "out of order", back + 0; print "missing", all - n - dropped }' "$TMP/out"
