 +vmlinux`vfs_write(\+0x[0-9a-f]+)?
 +vmlinux`ksys_write\+0x[0-9a-f]+
 +vmlinux`ksys_write +
