#@ what:    fbt with the exact name of a function that the kernel refuses to probe is an error, and a pattern skips it with a message
#@ needs:   kprobe no-kprobe.multi x86-64
# Only x86-64 has do_trap(). On arm64, no function is known that the kernel lists but refuses to probe.
$DTRACE -qn 'fbt::do_trap:entry { @ = count(); } BEGIN { exit(0); }' 2>&1
echo "status $?"
$DTRACE -vqn 'fbt::do_t*:entry { @ = count(); } BEGIN { exit(0); }' 2>&1 | grep do_trap
