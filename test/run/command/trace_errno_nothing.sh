#@ what:    --trace-errno is refused with a usage example for an incomplete probe, and with the missing kernel feature if kprobes are unavailable
#@ needs:   no-kprobe
#@ status:  1
exec 2>&1
$DTRACE --trace-errno 'syscall::openat:return'
$DTRACE --trace-errno 'syscall::openat:return /errno == EACCES/'
