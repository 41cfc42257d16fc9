#@ what:    a module that is built into the kernel can be named in symbols, and an error says that its functions belong to vmlinux
mkdir -p "$TMP/modules"
echo kernel/fs/ext9/ext9.ko >"$TMP/modules/modules.builtin"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d %d\n", &ext9`vfs_read == &`vfs_read, sizeof(struct ext9`list_head)); exit(0); }'
unset DTRACE_REPRODUCIBLE
$DTRACE -x modpath="$TMP/modules" -n 'fbt:ext9::entry' 2>&1 | grep '='
$DTRACE -x modpath="$TMP/modules" -ln 'fbt:ext9:vfs_read:entry' 2>&1 | grep built
