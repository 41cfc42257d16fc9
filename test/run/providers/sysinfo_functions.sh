#@ what:    sysinfo and vminfo probes count path lookups, copy-on-write pages and characters written to a terminal
#@ needs:   kprobe
$DTRACE -qn 'int n; syscall::getppid:entry /pid == $target/ { n++; }
sysinfo:::namei,sysinfo:::lookup /pid == $target && n == 1/ { @[probename] = sum(arg0); }
vminfo:::cow_fault /pid == $target && n == 3/ { @[probename] = sum(arg0); }
sysinfo:::rawch { @[probename] = sum(arg0); }
sysinfo:::outch,sysinfo:::canch /pid == $target && n == 5/ { @[probename] = sum(arg0); }' \
    -c "$PROGS/counts names 11 shared 12 terminal 13" | awk '$1 == "rawch" { $2 = ($2 >= 13 * 5) } { $1 = $1 } NF' | sort
