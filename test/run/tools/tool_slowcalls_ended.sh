#@ what:    slowcalls.d discards its speculations for calls of ended threads and keeps others
#@ needs:   syscall
printf '%s\n' 'i=0; while [ $i -lt 600 ]; do /bin/true; i=$((i + 1)); done' >"$TMP/many.sh"
"$DTRACE" -s slowcalls.d -c "sh $TMP/many.sh" >"$TMP/out" 2>"$TMP/err"
cat "$TMP/err"; grep -c COMMAND "$TMP/out"
