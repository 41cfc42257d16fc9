 1
1
 +writesvfs_writes_write +
 +writesvfs_write +
 +vmlinux`vfs_write\+0x[0-9a-f]+
