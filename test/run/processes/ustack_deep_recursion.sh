#@ what:    a stack that is deeper than the limit shows its innermost frames
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(50); ustack(); printf("%d\n", ustackdepth); }' -xmaxframes=120 -c "$PROGS/deep recurse 200" |
    awk '/`/ { sub(/^ */, ""); sub(/\+.*/, ""); frames++; calls += $0 == "deep`recurse"; next }
         frames { print frames, calls; frames = calls = 0 } NF { print }'
