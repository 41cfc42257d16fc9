#@ what:    -x format=journal keeps newlines inside values and messages
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { printf("one\n%s\nend\n", "a=1\nb=2\n"); exit(0); }' |
    sed -E 's/("DTRACE_(CPU|TIME)": ")[0-9]+/\1N/g'
