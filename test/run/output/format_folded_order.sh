#@ what:    -x format=folded prints user frames before kernel frames in any order of keys, and [FILE] for frames without symbol
#@ needs:   syscall
strip -o "$TMP/stripped" "$PROGS/frames"
for keys in 'stack(1), ustack(2)' 'ustack(2), stack(1)'; do
    for program in "$PROGS/frames" "$TMP/stripped"; do
        $DTRACE -x format=folded -qn 'syscall::getppid:entry /pid == $target/ { @['"$keys"'] = count(); }' -c "$program" |
            sed 's/\([^;]*;[^;]*\);.*/\1/'
    done
done
