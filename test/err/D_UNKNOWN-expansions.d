/* @tag: D_UNKNOWN
 * @says: inlines and translators expand to more than 50000 expressions here
 * @line: 13
 * a program whose inlines expand to 2^20 expressions exceeds a limit of the compiler, which is an error */
inline int a[int x] = x + pid;
inline int b[int x] = a[x] + a[x + 1] + a[x] + a[x + 1];
inline int c[int x] = b[x] + b[x + 1] + b[x] + b[x + 1];
inline int d[int x] = c[x] + c[x + 1] + c[x] + c[x + 1];
inline int e[int x] = d[x] + d[x + 1] + d[x] + d[x + 1];
inline int f[int x] = e[x] + e[x + 1] + e[x] + e[x + 1];
inline int g[int x] = f[x] + f[x + 1] + f[x] + f[x + 1];
inline int h[int x] = g[x] + g[x + 1] + g[x] + g[x + 1];
inline int i[int x] = h[x] + h[x + 1] + h[x] + h[x + 1];
inline int j[int x] = i[x] + i[x + 1] + i[x] + i[x + 1];
inline int k[int x] = j[x] + j[x + 1] + j[x] + j[x + 1];
BEGIN { trace(k[pid]); }
