#@ what:    pid@$1 takes the path from an argument, and -l lists its functions
#@ needs:   uprobe
cp "$PROGS/sleeper" "$TMP/naps"
"$TMP/naps" &
sleeper=$!
until [[ $(readlink /proc/$sleeper/exe) == "$TMP/naps" ]]; do sleep 0.01; done
cat >"$TMP/in.d" <<'END'
pid@$1::main:entry { printf("%s %s %s\n", probemod, probefunc, pid == $2 ? "who ran already" : "another"); exit(0); }
END
$DTRACE -lqs "$TMP/in.d" "$TMP/naps" $sleeper | awk 'NR == 2 { print $3, $4, $5 }'
$DTRACE -qs "$TMP/in.d" "$TMP/naps" $sleeper -c "$TMP/naps 1"
kill $sleeper
wait $sleeper 2>/dev/null
true
