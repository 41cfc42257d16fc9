#@ what:    slowcalls.d frees the speculations of 600 processes that end, so that no message reports failed speculations
#@ needs:   syscall
printf '%s\n' 'i=0; while [ $i -lt 600 ]; do /bin/true; i=$((i + 1)); done' >"$TMP/many.sh"
"$DTRACE" -s slowcalls.d -c "sh $TMP/many.sh" >"$TMP/out" 2>"$TMP/err"
cat "$TMP/err"; grep -c COMMAND "$TMP/out"
