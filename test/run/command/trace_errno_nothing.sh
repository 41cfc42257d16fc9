#@ what:    --trace-errno explains its usage for an incomplete probe, and names the kernel feature (kprobes) that is missing
#@ needs:   no-kprobe
#@ status:  1
exec 2>&1
$DTRACE --trace-errno 'syscall::openat:return'
$DTRACE --trace-errno 'syscall::openat:return /errno == EACCES/'
