#@ what:    the manual's one-liners about kernel functions and locks print what the programs they run beside did
#@ needs:   kprobe
#@ timeout: 60
. ./one_liner
one_liner 'Time that mutexes are held' '^ +locks +$' -c "$PROGS/locks mutex 100"
one_liner 'Calls of kernel functions' '^ +vfs_read +[0-9]+$' -c 'cat /etc/passwd'
one_liner 'Latency of a kernel function' '^ +[0-9]+ \|@+ +[0-9]+' -c 'cat /etc/passwd'
