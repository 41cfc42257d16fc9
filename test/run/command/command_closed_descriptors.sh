#@ what:    if stdin, stdout or stderr is closed when dtrace starts, error messages are never written to the file of -o
for closed in '0<&-' '1>&-' '2>&-'; do
    rm -f "$TMP/file"
    eval "$DTRACE -o $TMP/file -n 'BEGIN { trace(\"text\"); trace(*(int *)0); } BEGIN { exit(0); }' $closed" 2>/dev/null
    echo "status $?, $(grep -c dtrace: "$TMP/file") diagnostics in the file"
done
