/*@
 * what:    a predicate sees the values that earlier clauses of the same probe assigned
 */
BEGIN /n == 0/ { printf("first\n"); n = 5; }
BEGIN /n == 5/ { printf("second\n"); n = 0; }
BEGIN /n/ { printf("no\n"); }
BEGIN /!n/ { printf("third\n"); exit(0); }
