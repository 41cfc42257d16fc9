#@ what:    -x format=journal: a value with newlines comes whole, and so does the message
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { printf("one\n%s\nend\n", "a=1\nb=2\n"); exit(0); }' |
    sed -E 's/("DTRACE_(CPU|TIME)": ")[0-9]+/\1N/g'
