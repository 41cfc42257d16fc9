#@ what:    kfunclatency.d: each call of a function of the kernel is in its histogram
#@ needs:   kprobe
"$DTRACE" -s kfunclatency.d vfs_write -c "$PROGS/writes 7 10" | awk '/nanoseconds/ { print } / \|/ { n += $NF } END { print n }'
