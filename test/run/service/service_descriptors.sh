#@ what:    a service closes file descriptors of maps after loading a script, and reload, END and aggregations still work
. ./service.bash
once() { # KIND: counts the objects for which the service has more than one descriptor
    sed -n "s/^$1_id:\s*//p" /proc/$service/fdinfo/* 2>/dev/null | sort | uniq -d | wc -l
}
script counts <<<'#pragma D option quiet
int n; BEGIN { n = 4; @a["calls"] = sum(10); } syscall::getsid:entry /execname == "nobody"/ { n++; }'
start
echo "$(state counts): maps twice $(once map)"
script counts <<<'#pragma D option quiet
int n; BEGIN { n++; @a["calls"] = sum(100); } syscall::getsid:entry /execname == "nobody"/ { n++; } END { printf("n is %d\n", n); }'
client reload 2>&1 | grep -o 'nothing was missed'
echo "$(state counts): maps twice $(once map)"
stop
grep . "$TMP/out" | sed 's/^ *//; s/  */ /g' | sort
