#@ what:    symbols and types of an executable can be named even if a kernel module has the executable's name
#@ needs:   syscall ctf
cp "$PROGS/globals_ctf" "$TMP/ext9"
echo kernel/fs/ext9/ext9.ko >"$TMP/modules.builtin"
$DTRACE -x modpath="$TMP" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d %d\n", ext9``counter, sizeof(ext9`node_t)); }' -c "$TMP/ext9" | sed '/^$/d'
