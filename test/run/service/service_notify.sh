#@ what:    a service notifies its manager of readiness, reload, stop and liveness, over file and abstract sockets
#@ needs:   python3
. ./service.bash
script good <<<'BEGIN { x = 1; }'
script bad <<<'BEGIN { x = ; }'
for path in "$TMP/notify" "@dtrace-test-$$"; do
    python3 notify_reader.py "$path" "$dir" $DTRACE -x control="$socket" --service "$dir" 2>"$TMP/err" | uniq
done
