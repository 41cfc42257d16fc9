/* @tag: none
 * @options: -32
 * a 32-bit program has 4-byte longs and pointers: no array below has dimension 0, no index is out of bounds */
int a[5 - sizeof(long)];
int b[5 - sizeof(void *)];
int c[9 - sizeof(int64_t)];
BEGIN { a[0] = b[0] = c[0] = 1; }
