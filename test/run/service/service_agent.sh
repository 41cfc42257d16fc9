#@ what:    --agent reports status and cost of a service's scripts, and returns an error if the service does not answer in time
#@ needs:   python3
. ./service.bash
start
script reads <<<'#pragma D option quiet
BEGIN { @began = count(); }'
client reload
agent() { printf '%s\n' "$@" | DTRACE_OPT_CONTROL=$socket $DTRACE --agent; }
agent '{"id":1,"method":"status"}' '{"id":2,"method":"status","script":"reads"}' '{"id":3,"method":"cost","script":"reads"}' \
    '{"id":4,"method":"cost","script":"nobody"}' '{"id":5,"method":"cost"}' '{"id":6,"method":"status","script":"reads","bytes":5}' | python3 -c '
import json, sys
for answer in map(json.loads, sys.stdin):
    print(answer["id"], answer["ok"], [(each["name"], each["state"]) for each in answer.get("scripts", [])], type(answer.get("pins")).__name__,
          [each for each in ("name", "elapsed_ns", "probes", "clauses", "memory") if each in answer.get("cost", {})], answer.get("messages"), answer.get("error"))'
client status -x format=jsonl reads | value state
client reload -x format=jsonl
stop
mkfifo "$TMP/input"
python3 -c 'import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(8); print("listens", flush=True); sys.stdin.read()' "$TMP/silent" <"$TMP/input" >"$TMP/said" & silent=$!
exec 7>"$TMP/input"
until grep -qs listens "$TMP/said"; do sleep 0.02; done
socket=$TMP/silent
agent '{"id":7,"method":"status","seconds":1}'
exec 7>&-
wait $silent
