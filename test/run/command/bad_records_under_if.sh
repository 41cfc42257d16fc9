#@ what:    a clause with more than 64 recording actions inside if statements is an error that names this limit
{
    echo 'BEGIN { if (pid) {'
    printf 'trace(%d);' {1..64}
    echo '} trace("free"); exit(0); }'
} >"$TMP/most.d"
$DTRACE -qs "$TMP/most.d" && echo
sed 's/trace(64);/&trace(65);/' "$TMP/most.d" >"$TMP/beyond.d"
$DTRACE -qs "$TMP/beyond.d" 2>&1 | grep -o "one clause has more than .*"
