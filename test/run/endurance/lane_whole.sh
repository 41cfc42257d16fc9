#@ what:    records that the tracer reads from an mmap ring are complete, even if a program writes to the ring at the same time
#@ needs:   syscall
"$PROGS/storm" 1000000000 2 &
target=$!
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { this->a = timestamp; printf("%d %d %d %d %d\n", this->a, this->a + 1, this->a + 2, this->a + 3, this->a + 4); }' \
    -p "$target" >"$TMP/out" 2>"$TMP/err" &
tracer=$!
# Function "lanes": succeeds if the tracer has an mmap ring, a map of slightly more than two megabytes.
lanes() { grep -qsE 'value_size:\s2[0-9]{6}$' /proc/"$tracer"/fdinfo/*; }
until lanes; do kill -0 "$tracer" || break; sleep 0.05; done
most=$([[ -n ${DTRACE_GUEST:-} ]] && echo 30000 || echo 300000) # more records than one ring holds
lines=$(wc -l <"$TMP/out")
until (($(wc -l <"$TMP/out") > lines + most)); do kill -0 "$tracer" || break; sleep 0.05; done
kill "$target"
wait "$tracer"
echo "status $?"
awk 'NF && ($2 != $1 + 1 || $3 != $1 + 2 || $4 != $1 + 3 || $5 != $1 + 4) { torn++ } END { print "torn", torn + 0 }' "$TMP/out"
