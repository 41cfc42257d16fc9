#@ what:    --hosts sends a compiled bundle to hosts like this one and the source to others, and --send-source only the source
mkdir "$TMP/bin"
cat >"$TMP/bin/dtrace" <<SH
#!/bin/bash
echo "\$host: \$1 \$2" >>"$TMP/ran"
if [ "\$host" = web2 ]; then
    base64 -d | sed 's/ cpus=[0-9]*/ cpus=12345/' >"$TMP/bundle"
    exec $DTRACE --run-bundle "$TMP/bundle"
fi
exec $DTRACE "\$@"
SH
cat >"$TMP/carrier" <<'SH'
#!/bin/bash
export host=$1
exec sh -c "$2"
SH
chmod +x "$TMP/bin/dtrace" "$TMP/carrier"
export PATH="$TMP/bin:$PATH"
printf 'BEGIN { @["it'"'"'s", $1] = count(); printf("one\\n"); }\n' >"$TMP/script.d"
printf '#pragma D option quiet\nBEGIN { exit($1 - 42); }\n' >"$TMP/end.d"
$DTRACE --hosts 'web[1-2]' --rsh "$TMP/carrier %n" -v -s "$TMP/script.d" -s "$TMP/end.d" 42 2>&1 |
    sed "s,$TMP/,,; s/and [0-9]* on this machine/and N on this machine/" | sort
cat "$TMP/ran" | sort
rm "$TMP/ran"
$DTRACE --hosts web3 --send-source --rsh "$TMP/carrier %n" -qn 'BEGIN { @ = sum(7); exit(0); }' 2>&1
cat "$TMP/ran"
