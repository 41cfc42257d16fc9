#@ what:    a print request to a service prints the ring buffer of a script with bufpolicy=ring once, and recording continues
#@ needs:   syscall
. ./service.bash
script recorder <<'X'
#pragma D option quiet
#pragma D option bufpolicy=ring
BEGIN { printf("begun\n"); @["asked"] = count(); }
X
start
for asked in 1 2; do
    ask /v1/scripts/recorder/print -X POST | value state
    until [ "$(grep -c asked "$TMP/out")" = $asked ]; do sleep 0.05; done
done
ask /v1/scripts/recorder/print | value error
ask /v1/scripts/recorder -X DELETE | value state
ask /v1/scripts/recorder/print -X POST | value error
stop
grep -v '^$' "$TMP/out" | tr -s ' '
