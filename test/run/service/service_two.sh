#@ what:    a service runs all scripts of its directory, except hidden and masked files, lists them by name, and runs END after SIGTERM
#@ needs:   python3
. ./service.bash
script two <<<'#pragma D option quiet
BEGIN { printf("two begins\n"); } END { printf("two ends\n"); }'
script one <<<'#pragma D option quiet
BEGIN { printf("one begins\n"); } END { printf("one ends\n"); }'
for other in .hidden.d notes.txt script.d~ "a b.d"; do
    echo 'BEGIN { printf("wrong\n"); }' >"$dir/$other"
done
ln -s /dev/null "$dir/masked.d"
start
ask /v1/scripts | python3 -c 'import json, sys
for each in json.load(sys.stdin)["scripts"]: print(each["name"], each["state"])'
until_printed 'one begins'
until_printed 'two begins'
stop
grep . "$TMP/out" | sort
cat "$TMP/err"
ls "$TMP" | grep control || true # the service removes its socket
