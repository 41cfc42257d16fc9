#@ what:    -x memorymax makes a service set the memory limit of its systemd unit to the most that its scripts need
. ./service.bash
mkdir "$TMP/bin"
printf '#!/bin/sh\necho "$*" >>%s\n' "$TMP/asked" >"$TMP/bin/systemctl"
chmod +x "$TMP/bin/systemctl"
script one <<<'#pragma D option maxmem=100m
BEGIN { x = 1; }'
script two <<<'#pragma D option maxmem=100m
BEGIN { x = 1; }'
PATH=$TMP/bin:$PATH start -x memorymax=traces.service
client detach two >/dev/null
stop
sed -E 's/=[0-9]+$/=N/' "$TMP/asked"
sed -nE 's/.*=([0-9]+)$/\1/p' "$TMP/asked" | {
    read -r two; read -r one
    own=$((256 << 20)) one=$((one - own)) two=$((two - own))
    ((one > 0 && one <= 100 << 20 && two == 2 * one)) && echo "twice as much for two" || echo "$one $two"
}
