#@ what:    if a changed script does not compile, the old version keeps running until a version compiles
. ./service.bash
script it <<<'#pragma D option quiet
BEGIN { printf("first begins\n"); } END { printf("first ends\n"); }'
start
script it <<<'BEGIN { nothing_of_that_name(); }'
client reload | grep -oE '^it: failed|the previous version continues to trace'
state it
ask /v1/scripts/it | value error | grep -o 'nothing_of_that_name' | head -1
client reload
grep -c 'first ends' "$TMP/out"
script it <<<'#pragma D option quiet
BEGIN { printf("second begins\n"); }'
kill -HUP $service
until_printed 'second begins'
stop
grep . "$TMP/out"
