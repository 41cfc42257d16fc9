#@ what:    if a probe fires inside its own program, the kernel skips the hit, and drop reason recursion counts it
#@ lost:    recursion
#@ needs:   syscall
#@ timeout: 60
# The probes are on functions that free memory. Both tasks and interrupts call them often, so an interrupt can hit a probe during the long clause.
long=$(for i in $(seq 200); do printf 'n += strlen(probefunc) + %d; ' "$i"; done)
: >"$TMP/err"
$DTRACE -x drops -x hits -x statusrate=100ms -qn "int64_t n; rawtp:kmem::kmem_cache_free, rawtp:kmem::kfree { $long }" >/dev/null 2>"$TMP/err" &
tracer=$!
until grep -q 'the kernel skips a probe that fires while the program of a probe is running' "$TMP/err"; do
    kill -0 $tracer || exit 1
    for i in $(seq 500); do : <"$TMP/err"; done
done
kill $tracer
wait $tracer
awk '/the kernel skips a probe/ { told += $2 } / recursion: / { gsub(",", "", $1); recursion = $1 } / missed: / { missed = $1 }
    $NF ~ /^rawtp:/ && $1 ~ /^[0-9]+$/ { fired += $1; wrong += $1 != $2 + $3 + $4 }
    END { print "adds up:", (fired > 0 && wrong == 0); print "as told:", (told == recursion), " some:", (recursion > 0), " missed:", missed }' "$TMP/err"
