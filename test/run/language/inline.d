/*@
 * what:    inline defines a named constant
 */
inline int LIMIT = 3;
inline string WORD = "word";
BEGIN { printf("%d %s %d\n", LIMIT, WORD, LIMIT * 2); exit(0); }
