#@ what:    fbt: a function that the kernel lets nobody probe is an error by name; a pattern leaves it out and tells
#@ needs:   kprobe no-kprobe.multi
$DTRACE -qn 'fbt::do_trap:entry { @ = count(); } BEGIN { exit(0); }' 2>&1
echo "status $?"
$DTRACE -vqn 'fbt::do_t*:entry { @ = count(); } BEGIN { exit(0); }' 2>&1 | grep do_trap
