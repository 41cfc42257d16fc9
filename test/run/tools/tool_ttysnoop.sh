#@ what:    ttysnoop.d shows the text that a program writes to a terminal, and not the text it writes to a file
#@ needs:   python3
printf 'import pty\npty.spawn(["sh", "-c", "echo to the terminal; echo to a file >%s/file"])\n' "$TMP" >"$TMP/work.py"
"$DTRACE" -o "$TMP/seen" -s ttysnoop.d -c "sh -c 'exec python3 $TMP/work.py </dev/null >/dev/null'"
tr -d '\r' <"$TMP/seen" | grep to
"$DTRACE" -o "$TMP/none" -s ttysnoop.d -c "sh -c 'exec python3 $TMP/work.py </dev/null >/dev/null'" pts/none
grep -c to "$TMP/none" || :
