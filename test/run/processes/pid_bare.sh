#@ what:    a pid probe in a stripped program is an error about missing symbols, for patterns and for names
#@ needs:   uprobe objcopy
unset DTRACE_REPRODUCIBLE # with this variable, messages have no hints
objcopy --strip-all "$PROGS/burn" "$TMP/bare"
for function in '' burn; do
    $DTRACE -n "pid\$target:a.out:$function:entry { }" -c "$TMP/bare 1" 2>&1 | grep -o 'its file has no symbols (it is stripped)'
done
exit 0
