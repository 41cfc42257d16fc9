#@ what:    a reload starts new scripts, ends removed ones, and replaces changed ones, which keep their counts
. ./service.bash
script gone <<<'#pragma D option quiet
END { printf("gone ends\n"); }'
script same <<<'#pragma D option quiet
END { printf("same ends\n"); }'
script counts <<<'#pragma D option quiet
int n; BEGIN { n = 4; @a["calls"] = sum(10); }'
start
since=$(ask /v1/scripts/same | value since)
rm "$dir/gone.d"
script added <<<'BEGIN { x = 1; }'
script counts <<<'#pragma D option quiet
int n; BEGIN { n++; @a["calls"] = sum(100); } END { printf("n is %d\n", n); }'
client reload
[ "$(ask /v1/scripts/same | value since)" = "$since" ] && echo "same goes on"
echo "gone: $(ask /v1/scripts/gone)"
echo "added: $(state added)"
client reload
stop
grep . "$TMP/out" | sed 's/^ *//; s/  */ /g' | sort
