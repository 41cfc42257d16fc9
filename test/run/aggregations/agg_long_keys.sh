#@ what:    an aggregation counts keys of more than 512 bytes; before Linux 5.11, the message names the aggregation and the limit
#@ needs:   syscall
$DTRACE -x strsize=600 -qn 'BEGIN { @long[strjoin("a", "b"), strjoin("c", "d")] = count(); printa("%s %s %@d\n", @long); exit(0); }' >"$TMP/out" 2>&1
if grep -q '^ab cd 1$' "$TMP/out" || grep -q 'accepts keys of at most 512 bytes, and those of @long have [0-9]*: lower option strsize' "$TMP/out"; then
    echo "counted, or refused with the reason"
else
    cat "$TMP/out"
fi
