#@ what:    -x follow=fork with -p: what the process forks from then on is traced, what it forked before is not
cat >"$TMP/in" <<EOF
(while [ ! -e $TMP/end ]; do sleep 0.05; done) &
before=\$!
while [ ! -e $TMP/go ]; do sleep 0.05; done
(while [ ! -e $TMP/end ]; do sleep 0.05; done) &
echo \$before \$! >$TMP/pids
while [ ! -e $TMP/end ]; do sleep 0.05; done
EOF
sh "$TMP/in" &
target=$!
sleep 0.2
$DTRACE -x follow=fork -qn 'BEGIN { printf("on\n"); } pid$target:libc.so.6:*fork:entry { @[pid] = count(); } END { printa("%d\n", @); }' -p $target >"$TMP/out" &
tracer=$!
for i in $(seq 300); do grep -qs on "$TMP/out" && break; sleep 0.02; done
touch "$TMP/go"
for i in $(seq 300); do [ -s "$TMP/pids" ] && break; sleep 0.02; done
sleep 0.5
touch "$TMP/end"
wait
read -r before after <"$TMP/pids"
grep -c "^$target\$" "$TMP/out"
grep -c "^$before\$" "$TMP/out"
grep -c "^$after\$" "$TMP/out"
