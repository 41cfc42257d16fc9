/*@
 * what:    a function's symbol is its address, with and without &; sizeof is its size, not that of a word
 */
BEGIN { printf("%d %d %a\n", (uintptr_t)&`vfs_read == (uintptr_t)`vfs_read, sizeof(`vfs_read) > 16, (uintptr_t)`vfs_read); exit(0); }
