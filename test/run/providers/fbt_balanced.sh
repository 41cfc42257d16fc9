#@ what:    for a pattern of functions, fbt entry and return probes fire equally often for each function
#@ needs:   kprobe
$DTRACE -qn 'fbt::vfs_[rw]*:entry { self->in = pid == $target; } fbt::vfs_[rw]*:entry /self->in/ { @[probefunc] = sum(1); @all["calls"] = count(); }
    fbt::vfs_[rw]*:return /self->in/ { @[probefunc] = sum(-1); } END { printa("%s %@d\n", @); printa("%s %@d\n", @all); }' -c "$PROGS/writes 500 10" |
    awk '$1 == "calls" { enough = $2 >= 500; next } NF == 2 && $2 != 0 { print } $1 == "vfs_write" { seen = 1 } END { print enough, seen }'
