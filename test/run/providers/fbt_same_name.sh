#@ what:    fbt probes all kernel functions that have the same name
#@ needs:   guest kprobe
for file in mounts maps; do
    $DTRACE -qn 'fbt:vmlinux:m_start:entry /pid == $target/ { calls++; } END { printf("%s\n", calls > 0 ? "called" : "not called"); }' -c "cp /proc/self/$file $TMP/$file"
done
