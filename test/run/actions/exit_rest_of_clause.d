/*@
 * what:    after exit(), the rest of its clause and END still run, but later clauses do not
 * status:  1
 */
BEGIN { printf("one\n"); exit(1); printf("two\n"); }
BEGIN { printf("no\n"); }
END { printf("end\n"); }
