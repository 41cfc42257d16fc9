#@ what:    fbt by exact name reports an error for a function that the kernel forbids, and a pattern skips it with a message
#@ needs:   kprobe no-kprobe.multi x86-64
# Only x86-64 has do_trap(), and it is not known of a function of arm64 that its kernel lists and refuses.
$DTRACE -qn 'fbt::do_trap:entry { @ = count(); } BEGIN { exit(0); }' 2>&1
echo "status $?"
$DTRACE -vqn 'fbt::do_t*:entry { @ = count(); } BEGIN { exit(0); }' 2>&1 | grep do_trap
