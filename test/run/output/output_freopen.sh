#@ what:    freopen(FILE) appends later output to a file, freopen("") restores the output, and ftruncate() empties the file
echo before >"$TMP/file"
$DTRACE -wqn 'BEGIN { printf("1\n"); freopen("'"$TMP"'/%s", "file"); printf("2\n"); freopen(""); printf("3\n"); exit(0); }'
cat "$TMP/file"
$DTRACE -o "$TMP/named" -wqn 'BEGIN { printf("gone\n"); ftruncate(); printf("kept\n"); exit(0); }'
cat "$TMP/named"
