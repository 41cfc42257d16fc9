#@ what:    a service tells its manager, at a socket of a file or an abstract one, that it is ready when every script was tried, that it reloads and stops, and shows that it lives
#@ needs:   python3
. ./service.bash
script good <<<'BEGIN { x = 1; }'
script bad <<<'BEGIN { x = ; }'
for path in "$TMP/notify" "@dtrace-test-$$"; do
    python3 notify_reader.py "$path" "$dir" $DTRACE -x control="$socket" --service "$dir" 2>"$TMP/err" | uniq
done
