^ *vmlinux`vfs_write$
