#@ what:    symbols and functions of a built-in module belong to the core kernel, and an error explains that
mkdir -p "$TMP/modules"
echo kernel/fs/ext9/ext9.ko >"$TMP/modules/modules.builtin"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d %d\n", &ext9`vfs_read == &`vfs_read, sizeof(struct ext9`list_head)); exit(0); }'
unset DTRACE_REPRODUCIBLE
$DTRACE -x modpath="$TMP/modules" -n 'fbt:ext9::entry' 2>&1 | grep '='
$DTRACE -x modpath="$TMP/modules" -ln 'fbt:ext9:vfs_read:entry' 2>&1 | grep built
