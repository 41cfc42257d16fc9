#@ what:    --why says what it wants, and what this kernel lacks
#@ needs:   no-kprobe
#@ status:  1
exec 2>&1
$DTRACE --why 'syscall::openat:return'
$DTRACE --why 'syscall::openat:return /errno == EACCES/'
