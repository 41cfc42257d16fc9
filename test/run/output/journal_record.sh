#@ what:    -x format=journal writes each record as one entry with the printed text as message and each value as a field
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -n 'BEGIN { trace(1); trace("text"); printf("<%d %s>\n", -5, "x"); }
BEGIN { }
BEGIN { printf("end"); exit(0); }' | sed -E 's/("DTRACE_(CPU|TIME)": ")[0-9]+/\1N/g'
