#@ what:    the save command of --shell writes a runnable script, and the load command and option -s read it
$DTRACE -q --shell <<END
option strsize=5
BEGIN { trace("four and more"); }
#pragma D option switchrate=10hz
END { trace(1); }
BEGIN { exit(0); }
save $TMP/saved.d
END
cat "$TMP/saved.d"
[ -x "$TMP/saved.d" ] && echo executable
$DTRACE -qs "$TMP/saved.d"
echo
printf 'load %s\nrun\nshow\n' "$TMP/saved.d" | $DTRACE -q --shell
printf 'run\n' | $DTRACE -q --shell -s "$TMP/saved.d"
printf 'load %s\nsave %s\n' "$TMP/missing.d" "$TMP/no/file.d" | $DTRACE -q --shell 2>&1 | sed "s:$TMP:TMP:"
