#@ what:    a service loads each script in a child process, and reports the reason if the kernel refuses the script
. ./service.bash
script watch <<<'#pragma D option quiet
proc:::exit /execname == "dtrace-loader" && ppid == $pid/ { @ = count(); } END { printa("loaders %@d\n", @); }'
start
script other <<<'#pragma D option quiet
int64_t n; BEGIN { n = 3; @a["x"] = sum(n); } END { printf("n is %d\n", n); printa("%s %@d\n", @a); }'
client reload | sed 's/(.*//'
script huge <<<'#pragma D option aggsize=64g
BEGIN { @[pid, timestamp] = count(); }'
client reload 2>&1 | grep -c 'huge.*failed.*could not enable tracing'
[ -z "$(grep -ls '^dtrace-loader$' $(sed 's|[0-9]\+|/proc/&/comm|g' "/proc/$service/task/$service/children"))" ] && echo "none is left"
stop
grep . "$TMP/out" | sort
