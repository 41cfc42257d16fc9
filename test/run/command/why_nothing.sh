#@ what:    --why explains its usage for an incomplete probe, and names the kernel feature (kprobes) that is missing
#@ needs:   no-kprobe
#@ status:  1
exec 2>&1
$DTRACE --why 'syscall::openat:return'
$DTRACE --why 'syscall::openat:return /errno == EACCES/'
