#@ what:    if a changed script cannot start, the old version keeps running, and the service tries again only after another change
. ./service.bash
script it <<<'#pragma D option quiet
int n; BEGIN { printf("begins with %d\n", n); n += 5; } END { printf("ends\n"); }'
start
script it <<X
#pragma D option output=$TMP/nowhere/log
BEGIN { x = 1; }
X
client reload | grep -oE '^it: failed|failed to open output file|the previous version continues to trace'
state it
ask /v1/scripts/it | value error | grep -o 'failed to open output file'
client reload
stop
grep . "$TMP/out"
