#@ what:    kfunccount.d counts vfs_write() as often as a program calls write(2)
#@ needs:   kprobe
"$DTRACE" -s kfunccount.d vfs_write -c "$PROGS/writes 7 10" | grep -v '^$'
