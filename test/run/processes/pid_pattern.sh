#@ what:    a provider pattern such as p*d123 matches a process, but p* alone matches no process
#@ needs:   uprobe
$DTRACE -qn 'pid*:a.out:add8:entry { @[probeprov == strjoin("pid", lltostr(pid))] = count(); } END { printa("own name %d: %@d\n", @); }' -c "$PROGS/calls 4"
$PROGS/sleeper &
sleeper=$!
trap 'kill $sleeper' EXIT
while [ "$(readlink /proc/$sleeper/exe)" != "$(readlink -f $PROGS/sleeper)" ]; do :; done
for provider in "p*d$sleeper" "pid${sleeper%?}?" "p*"; do
    $DTRACE -ln "$provider:a.out:main:entry" 2>&1 | awk -v provider=pid$sleeper '$2 == provider { n++ } END { print n + 0 }'
done
