/*@
 * what:    a kernel function symbol is its address, with or without &, and sizeof gives its size
 */
BEGIN { printf("%d %d %a\n", (uintptr_t)&`vfs_read == (uintptr_t)`vfs_read, sizeof(`vfs_read) > 16, (uintptr_t)`vfs_read); exit(0); }
