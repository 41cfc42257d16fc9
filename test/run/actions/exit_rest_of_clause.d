/*@
 * what:    after exit() the clause goes on, later clauses do not run, END does
 * status:  1
 */
BEGIN { printf("one\n"); exit(1); printf("two\n"); }
BEGIN { printf("no\n"); }
END { printf("end\n"); }
