/* @tag: none
 * @options: -32
 * a program compiled with -32 has 4-byte longs and pointers, so its array sizes and indexes are valid */
int a[5 - sizeof(long)];
int b[5 - sizeof(void *)];
int c[9 - sizeof(int64_t)];
BEGIN { a[0] = b[0] = c[0] = 1; }
