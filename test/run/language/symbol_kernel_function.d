/*@
 * what:    a kernel function name is its address, with or without &, and sizeof is the size of its code
 */
BEGIN { printf("%d %d %a\n", (uintptr_t)&`vfs_read == (uintptr_t)`vfs_read, sizeof(`vfs_read) > 16, (uintptr_t)`vfs_read); exit(0); }
