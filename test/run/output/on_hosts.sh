#@ what:    --hosts merges the results of hosts, and names hosts without dtrace, with an incomplete result, or without a result in time
cat >"$TMP/carrier" <<'SH'
#!/bin/bash
# Function "carrier HOST COMMAND": runs COMMAND on this machine as if it ran on HOST
case $1 in
web2) echo 'sh: 1: dtrace: not found' >&2; exit 127 ;;
web3) sh -c "$2" | head -n 1 ;;
web4) exec sleep 1000 ;;
*) exec sh -c "$2" ;;
esac
SH
chmod +x "$TMP/carrier"
mkdir "$TMP/bin"
printf '#!/bin/sh\nexec %s "$@"\n' "$DTRACE" >"$TMP/bin/dtrace"
chmod +x "$TMP/bin/dtrace"
export PATH="$TMP/bin:$PATH"
printf 'BEGIN { @["it'"'"'s", $1] = count(); printf("one\\n"); }\ntick-10ms { exit(0); }\n' >"$TMP/script.d"
$DTRACE --hosts 'web[1-3,5]' --rsh "$TMP/carrier %n" -qs "$TMP/script.d" 42 2>&1
echo "---- $?"
$DTRACE -x deadline=50ms --hosts web4 --rsh "$TMP/carrier %n" -qn 'BEGIN { exit(0); }' 2>&1
echo "---- $?"
# Tests a remote shell (--rsh) that is started once for all hosts and puts the host name in front of each line.
cat >"$TMP/all" <<'SH'
#!/bin/bash
for host in web1 web5; do sh -c "$2" | sed "s/^/$host: /"; done
SH
chmod +x "$TMP/all"
$DTRACE -x hostkey --hosts 'web[1,5]' --rsh "$TMP/all %h" -qn 'BEGIN { @["x"] = sum(7); exit(0); }' 2>&1
echo "---- $?"
$DTRACE --hosts 'web[1-' -n 'BEGIN { exit(0); }' 2>&1
echo "---- $?"
