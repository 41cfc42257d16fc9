#@ what:    random expressions have equal values by the language's definition, constant folding and the kernel
#@ needs:   syscall
#@ timeout: 240
seeds=${SEEDS:-60}
[ -n "$DTRACE_GUEST" ] && seeds=${SEEDS:-6}
for seed in $(seq "${FIRST_SEED:-1}" "$seeds"); do
    "$GENERATE" expressions "$seed" >"$TMP/program.d"
    "$DTRACE" -qs "$TMP/program.d" >"$TMP/out" 2>"$TMP/err"
    status=$?
    if [ $status -ne 0 ] || [ -s "$TMP/err" ]; then
        echo "seed $seed: status $status"
        head -n 5 "$TMP/err"
    fi
    awk -v seed="$seed" '$1 != $2 || $1 != $3 { print "seed " seed ", expression " NR ": expected " $1 ", folded " $2 ", computed " $3 }
        END { if (NR != 12) print "seed " seed ": " NR " lines" }' "$TMP/out"
done
