#@ what:    a symbol of a module that is built in is the core kernel's
mkdir -p "$TMP/modules"
echo kernel/fs/ext9/ext9.ko >"$TMP/modules/modules.builtin"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d %d\n", &ext9`vfs_read == &`vfs_read, sizeof(struct ext9`list_head)); exit(0); }'
