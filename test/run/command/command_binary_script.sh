#@ what:    a binary file given as script is refused in one line without printing its bytes
$DTRACE -s /bin/ls 2>&1
echo "status $?"
printf 'BEGIN { trace(\033[31mred); }\n' >"$TMP/escape.d"
DTRACE_REPRODUCIBLE= $DTRACE -s "$TMP/escape.d" 2>&1 | grep -c "$(printf '\033')"
exit 0
