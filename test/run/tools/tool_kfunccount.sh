#@ what:    kfunccount.d counts a kernel function as often as a program calls write(2)
#@ needs:   kprobe
"$DTRACE" -s kfunccount.d vfs_write -c "$PROGS/writes 7 10" | grep -v '^$'
