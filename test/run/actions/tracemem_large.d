/*@
 * what:    tracemem() records all that is asked for
 * expect:  regex
 */
BEGIN { tracemem(curthread, 40000); exit(0); }
