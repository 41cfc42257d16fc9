#@ what:    freopen() appends to a file from then on, freopen("") comes back; ftruncate() empties
echo before >"$TMP/file"
$DTRACE -wqn 'BEGIN { printf("1\n"); freopen("'"$TMP"'/%s", "file"); printf("2\n"); freopen(""); printf("3\n"); exit(0); }'
cat "$TMP/file"
$DTRACE -o "$TMP/named" -wqn 'BEGIN { printf("gone\n"); ftruncate(); printf("kept\n"); exit(0); }'
cat "$TMP/named"
