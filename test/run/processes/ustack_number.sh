#@ what:    ustack(n) returns n frames up to option maxframes, also more than the kernel's own limit
#@ needs:   syscall
frames() { $DTRACE "$@" -c "$PROGS/deep recurse 700" | grep -c '`\|incomplete'; }
frames -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); exit(0); }'
frames -x ustackframes=300 -qn 'syscall::getppid:entry /pid == $target/ { ustack(); exit(0); }'
frames -x ustackframes=300 -x maxframes=150 -qn 'syscall::getppid:entry /pid == $target/ { ustack(); exit(0); }'
frames -x maxframes=600 -qn 'syscall::getppid:entry /pid == $target/ { ustack(600); exit(0); }'
