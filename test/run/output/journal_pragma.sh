#@ what:    -o can name the journal's socket also if a pragma in the script sets format=journal
#@ needs:   python3
cat >"$TMP/program" <<'END'
#pragma D option quiet
#pragma D option format=journal
BEGIN { trace("begun"); exit(0); }
END
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -s "$TMP/program" | sed -E 's/.*"MESSAGE": ("[^"]*").*/\1/'
rm "$TMP/socket"
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -qn 'BEGIN { exit(0); }' 2>&1
