/*@
 * what:    trace() in several clauses of one probe prints one line for each clause, in program order
 * run:     -s %file%
 */
BEGIN { trace(1); }
BEGIN { trace(2); trace(3); }
BEGIN { trace(4); exit(0); }
