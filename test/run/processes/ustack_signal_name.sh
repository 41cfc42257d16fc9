#@ what:    the frame of the signal return code (trampoline) has a name
#@ needs:   syscall x86-64
# On arm64 the trampoline is in the kernel's vdso, whose symbol for it has no type, so stacks show its address.
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); @[ustack()] = count(); }' -c "$PROGS/deep_static signal" | grep -A 1 handle | sed 's/+0x.*//; s/^ *//; /--/d'
