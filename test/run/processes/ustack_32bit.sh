#@ what:    stacks of 32-bit programs without frame pointers are complete, or marked as incomplete
#@ needs:   syscall
[ -x "$PROGS/frames32" ] && "$PROGS/frames32" 2>/dev/null || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
for way in call gate signal information blind; do
    echo "$way:"
    $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d frames, %A\n", ustackdepth, ucaller); }' -c "$PROGS/frames32 $way"
done | sed '/^$/d; s/^ *//; s/+0x[0-9a-f]*//; s/frames32`//'
