#@ what:    the kernel accepts every random program that compiles, and each runs to its end
#@ needs:   syscall profile
#@ timeout: 240
seeds=${SEEDS:-30}
[ -n "$DTRACE_GUEST" ] && seeds=${SEEDS:-8}
for seed in $(seq "${FIRST_SEED:-1}" "$seeds"); do
    "$GENERATE" program "$seed" >"$TMP/program.d"
    "$DTRACE" -qs "$TMP/program.d" -c "$PROGS/syscalls getppid 20" >"$TMP/out" 2>"$TMP/err"
    status=$?
    # A fault is a valid end of a clause. A self-> store that interrupts another one on its CPU is dropped and reported.
    grep -vE '^dtrace: (error in dt_clause_[0-9]+ for probe ID .*: .*|[0-9]+ (dynamic variable drops?|failed speculations? .*)|lost: ([0-9,]+ (assignments?|speculations?) \([^)]*\)(, )?)+)$' "$TMP/err" >"$TMP/unexpected"
    if [ $status -ne 0 ] || [ -s "$TMP/unexpected" ]; then
        echo "seed $seed: status $status"
        head -n 5 "$TMP/unexpected"
    fi
done
