#@ what:    with -x format=journal, printa() entries follow their record, and -q omits records without text
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { @["k"] = sum(7); printf("record"); printa(@); } BEGIN { printa("%@d", @); exit(0); }' |
    sed -E 's/.*"MESSAGE": ("[^"]*").*/\1/'
