#@ what:    -x format=journal writes one entry for each aggregation key, with a drawn histogram as message and the buckets as fields
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { @a["x", 2] = sum(7); @a["y", 1] = sum(-3); @q["k"] = quantize(5); @q["k"] = quantize(5); @q["k"] = quantize(0); exit(0); }' |
    sed -E 's/ +(\\n|")/\1/g'
