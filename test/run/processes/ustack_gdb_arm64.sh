#@ what:    user stacks of arm64 programs are those that gdb prints, also in leaf functions and with signed return addresses
#@ needs:   syscall uprobe gdb arm64
#@ timeout: 1200
. ./ustack_gdb.inc
compare "without frame pointers" "$PROGS/deep" call 0 30000
compare "signed return addresses" "$PROGS/deep_signed" call 0 30000
compare "in the handler of a signal" "$PROGS/deep_signed" signal 0 30000
asleep='syscall::clock_nanosleep:entry /pid == $target/ { self->asleep = 1; } sched:::off-cpu /self->asleep/'
compare_at "asleep" "$asleep" 'catch syscall clock_nanosleep' "$PROGS/deep" call 0 30000
compare_at "a leaf's first instruction" 'pid$target:a.out:mix_branches:entry' 'break *mix_branches' "$PROGS/checksum" 1000000000
compare_at "a leaf with room on the stack" 'pid$target:a.out:mix_memory:10' 'break *mix_memory+16' "$PROGS/checksum" 1000000000
if [ -x "$PROGS/deep_go" ]; then
    compare Go "$PROGS/deep_go" 30000
else
    echo "Go: the same"
fi
