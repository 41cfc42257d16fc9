#@ what:    a service notifies systemd when it is ready, reloads, stops and is alive, through file and abstract sockets
#@ needs:   python3
. ./service.bash
script good <<<'BEGIN { x = 1; }'
script bad <<<'BEGIN { x = ; }'
for path in "$TMP/notify" "@dtrace-test-$$"; do
    python3 notify_reader.py "$path" "$dir" $DTRACE -x control="$socket" --service "$dir" 2>"$TMP/err" | uniq
done
