#@ what:    -x followchildren=fork with -p traces children forked after the tracer attached, but not earlier ones
# Function "turns NAME": forks a child every 50 ms, and appends a line to the file NAME for each
cat >"$TMP/in" <<EOF
turns() { while [ ! -e $TMP/end ]; do sleep 0.05; echo >>$TMP/\$1; done; }
turns before &
before=\$!
: >$TMP/ready
while [ ! -e $TMP/go ]; do sleep 0.05; done
turns after &
echo \$before \$! >$TMP/pids
turns target
EOF
sh "$TMP/in" &
target=$!
until [ -e "$TMP/ready" ]; do sleep 0.02; done
$DTRACE -x followchildren=fork -qn 'BEGIN { printf("on\n"); } pid$target:libc.so.6:*fork:entry { @[pid] = count(); } END { printa("%d\n", @); }' -p $target >"$TMP/out" &
tracer=$!
until grep -qs on "$TMP/out"; do sleep 0.02; done
: >"$TMP/before"
touch "$TMP/go"
for each in before after target; do
    until [ -e "$TMP/$each" ] && [ "$(wc -l <"$TMP/$each")" -gt 3 ]; do sleep 0.02; done
done
touch "$TMP/end"
wait
read -r before after <"$TMP/pids"
grep -c "^$target\$" "$TMP/out"
grep -c "^$before\$" "$TMP/out"
grep -c "^$after\$" "$TMP/out"
