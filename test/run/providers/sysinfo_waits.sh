#@ what:    sysinfo:::mutex_adenters counts the two waits of a thread for the mutex of a terminal
#@ needs:   syscall
$DTRACE -qn 'sysinfo:::mutex_adenters /pid == $target/ { @ = sum(arg0); } sysinfo:::rw_rdfails, sysinfo:::rw_wrfails { } END { printa("%@d\n", @); }' \
    -c "$PROGS/locks wait 1" | awk 'NF { print ($1 >= 2) }'
