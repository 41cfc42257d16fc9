/*@
 * what:    inline int and inline string define named constants
 */
inline int LIMIT = 3;
inline string WORD = "word";
BEGIN { printf("%d %s %d\n", LIMIT, WORD, LIMIT * 2); exit(0); }
