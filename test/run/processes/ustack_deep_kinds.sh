#@ what:    stacks without frame pointers are complete in static programs, fixed-address programs and C++ exception handlers
#@ needs:   syscall
called_by() { $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d frames", ustackdepth); }' -c "$1"; }
called_by "$PROGS/deep_static call" | sed -n 's/+0x.*//; /syscall\|__libc/d; s/^ *deep_static`//p'
called_by "$PROGS/deep_cxx" | sed -n 's/+0x.*//; s/\.cold//; s/^ *deep_cxx`//p'
# The fixed-address program has no symbols. Its stack must have as many frames as that of the program with symbols.
[ "$(called_by "$PROGS/deep_fixed call" | tail -n 1)" = "$(called_by "$PROGS/deep call" | tail -n 1)" ] && echo "as many"
