#@ what:    the entry gone, which holds the values of keys expired by -x aggttl, appears in service show and survives a reload
. ./service.bash
quiet='#pragma D option quiet'
script keys <<<"#pragma D option aggttl=50ms
$quiet
BEGIN { @[\"a\", 1] = sum(3); @[\"b\", 2] = sum(4); } END { printa(@); }"
start
until client show keys | grep -q 'gone .* 7$'; do sleep 0.02; done
script keys <<<"#pragma D option aggttl=50ms
$quiet
BEGIN { @[\"c\", 1] = sum(5); } END { printa(@); }"
client reload
until client show keys | grep -q 'gone .* 12$'; do sleep 0.02; done
script keys <<<"$quiet
BEGIN { @[\"d\", 1] = sum(6); } END { printa(@); }"
client reload
stop
tr -s ' ' <"$TMP/out"
