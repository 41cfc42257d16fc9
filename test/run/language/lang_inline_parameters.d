/*@
 * what:    inlines can have parameters, use other inlines, and be strings
 */
inline int larger[int a, int b] = a > b ? a : b;
inline int clamp[int v, int lo, int hi] = v < lo ? lo : v > hi ? hi : v;
inline string signame[int n] = n == 1 ? "one" : n == 2 ? "two" : "many";
BEGIN { printf("%d %d %d %s %s\n", larger[3, 4], larger[larger[1, 9], 2], clamp[50, 0, 10], signame[2], signame[7]); exit(0); }
