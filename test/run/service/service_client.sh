#@ what:    the verbs attach, status, show, cost and detach of dtrace service work with a running service
. ./service.bash
start
cat >"$TMP/calls.d" <<'X'
#pragma D option quiet
BEGIN { @began["here"] = count(); }
END { printf("ends\n"); }
X
client attach "$TMP/calls.d" | awk '{ print $1, $2 }'
client status calls | awk 'NR == 2 { print $1, $2 }'
client show calls | sed 's/  */ /g; /^$/d'
client show calls | sed 's/  */ /g; /^$/d' # the first show cleared nothing
client cost calls | grep -oE 'of a CPU, .* of the machine|in all: ' | sed -E 's/[0-9.]+/N/g'
client attach "$TMP/calls.d" 2>&1 | sed 's/^[^:]*: //'
client detach calls | awk 'NR == 2 { print $1, $2 }'
grep -c '^ends' "$TMP/out"
client detach calls 2>&1 | sed 's/^[^:]*: //'
client show nobody 2>&1 | sed 's/^[^:]*: //'
stop
client status 2>&1 | grep -o 'no service answers'
