#@ what:    fbt: of several functions with one name each is probed: m_start reads the list of mounts, another one that of mappings
#@ needs:   guest kprobe
for file in mounts maps; do
    $DTRACE -qn 'fbt:vmlinux:m_start:entry /pid == $target/ { calls++; } END { printf("%s\n", calls > 0 ? "called" : "not called"); }' -c "cp /proc/self/$file $TMP/$file"
done
