#@ what:    with -x format=journal, tracing continues while the journal is away, and undelivered entries are counted
#@ needs:   python3
run='BEGIN { trace("begun"); } END { trace("first"); } END { trace("second"); }'
for mode in leave return; do
    python3 journal_reader.py $mode "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn "$run" 2>&1 | sed -E 's/.*"MESSAGE": ("[^"]*").*/\1/'
    rm -f "$TMP/socket"
done
