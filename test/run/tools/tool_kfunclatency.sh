#@ what:    kfunclatency.d counts each call of a kernel function in a histogram of call times
#@ needs:   kprobe
"$DTRACE" -s kfunclatency.d vfs_write -c "$PROGS/writes 7 10" | awk '/nanoseconds/ { print } / \|/ { n += $NF } END { print n }'
