#@ what:    -x format=journal: an entry a key of an aggregation, in order; of a histogram the picture, and its buckets as fields of one name
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { @a["x", 2] = sum(7); @a["y", 1] = sum(-3); @q["k"] = quantize(5); @q["k"] = quantize(5); @q["k"] = quantize(0); exit(0); }' |
    sed -E 's/ +(\\n|")/\1/g'
