#@ what:    stacks of 32-bit programs are complete at function entries, at returns and in profile samples
#@ needs:   profile
[ -x "$PROGS/frames32" ] && "$PROGS/frames32" 2>/dev/null || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
whole() { sed 's/^ *//; s/+0x[0-9a-f]*//; s/frames32`//' | tr '\n' ' ' | sed 's/  */ /g; s/^ //; s/ $/\n/'; }
$DTRACE -qn 'pid$target:a.out:inner:entry { ustack(); }' -c "$PROGS/frames32" | whole
$DTRACE -qn 'pid$target:a.out:middle:return, pid$target:a.out:outer:return { } pid$target:a.out:trap:entry /arg0 == 64/ { ustack(); }' -c "$PROGS/frames32" | whole
# The stack is printed after twenty samples, because by then the program is in the loop that it runs until it ends.
$DTRACE -qn 'profile-997 /pid == $target && arg1 && samples < 20/ { samples++; } profile-997 /pid == $target && arg1 && samples == 20/ { ustack(); exit(0); }' -c "$PROGS/frames32 use" | whole
