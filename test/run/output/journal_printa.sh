#@ what:    with -x format=journal, entries of printa() follow the entry of their record
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { @["k"] = sum(7); printf("record"); printa(@); } BEGIN { printa("%@d", @); exit(0); }' |
    sed -E 's/.*"MESSAGE": ("[^"]*").*/\1/'
