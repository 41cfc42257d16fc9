#@ what:    kfunclatency.d puts each call of a kernel function into its histogram
#@ needs:   kprobe
"$DTRACE" -s kfunclatency.d vfs_write -c "$PROGS/writes 7 10" | awk '/nanoseconds/ { print } / \|/ { n += $NF } END { print n }'
