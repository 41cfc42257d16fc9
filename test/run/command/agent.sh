#@ what:    --agent answers requests in JSON lines, reports errors with position and hint, limits rows and time, and refuses destructive actions
ask() { printf '%s\n' "$@" | $DTRACE --agent | sed 's/"ts":[0-9]*,"time":"[^"]*","cpu":[0-9]*/"ts":N/; s/"id":[0-9]*,"probe"/"id":N,"probe"/'; }
ask '{"id":1,"method":"check","program":"BEGIN { trace(exename); }"}' \
    '{"id":[2],"method":"check","program":"BEGIN { trace(execname); }"}' \
    '{"id":3,"method":"list","program":"syscall::gete?id:entry"}' \
    '{"id":4,"method":"list","program":"dtrace:::"}' \
    '{"id":5,"method":"run","program":"BEGIN { trace($1); @a[\"x\"] = count(); exit(3); }","arguments":["7"]}' \
    '{"id":6,"method":"run","program":"BEGIN { trace(1); trace(2); } BEGIN { trace(3); } BEGIN { trace(4); exit(0); }","rows":2}' \
    '{"id":7,"method":"run","program":"END { n = 1; }","seconds":1}' \
    '{"id":8,"method":"run","program":"#pragma D option destructive\nBEGIN { system(\"echo no\"); exit(0); }"}' \
    '{"id":9,"method":"run","program":"BEGIN { system(\"echo no\"); exit(0); }"}' \
    '{"id":10,"method":"run","program":"#pragma D option quiet\n#pragma D option maxcost=100%\nBEGIN { exit(0); }"}' \
    '{"id":11,"method":"run","program":"BEGIN { exit(0); }","hours":2}' \
    '{"method":"sing","program":"BEGIN"}' 'BEGIN' '{"id":12,"method":"run"}'
