#@ what:    if the compiler process of a service crashes, only the script being compiled fails, and the service compiles later scripts
. ./service.bash
mkdir "$TMP/lib"
script good <<<'#pragma D option quiet
BEGIN { printf("good begins\n"); } END { printf("good ends\n"); }'
start -x libdir="$TMP/lib"
mkfifo "$TMP/lib/stands.d" # a reader of this pipe blocks
script lost <<<'BEGIN { x = 1; }'
client reload >"$TMP/reloaded" 2>&1 &
reloading=$!
compiler() { grep -ls '^dtrace-compiler$' $(sed 's|[0-9]\+|/proc/&/comm|g' "/proc/$service/task/$service/children"); }
until [ -n "$(compiler)" ]; do sleep 0.02; done
compiler=$(compiler | tr -dc 0-9)
rm "$TMP/lib/stands.d"
kill -KILL "$compiler"
wait $reloading
grep -o 'failed to compile script.*' "$TMP/reloaded" | sed "s|$dir|DIR|"
for each in good lost; do echo "$each $(state $each)"; done
script lost <<<'BEGIN { x = 2; }'
client reload | grep -o 'lost.*'
echo "lost $(state lost)"
[ -z "$(compiler)" ] && echo "none is left"
stop
grep good "$TMP/out"
