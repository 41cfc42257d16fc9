/*@
 * what:    exit() lets its own clause finish, skips later clauses, and runs END
 * status:  1
 */
BEGIN { printf("one\n"); exit(1); printf("two\n"); }
BEGIN { printf("no\n"); }
END { printf("end\n"); }
