#@ what:    if the journal stops while -x format=journal writes to it, tracing continues, and the entries that could not be sent are counted
#@ needs:   python3
run='BEGIN { trace("begun"); } END { trace("first"); } END { trace("second"); }'
for mode in leave return; do
    python3 journal_reader.py $mode "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn "$run" 2>&1 | sed -E 's/.*"MESSAGE": ("[^"]*").*/\1/'
    rm -f "$TMP/socket"
done
