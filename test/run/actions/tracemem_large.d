/*@
 * what:    tracemem() records all bytes of a large request
 * expect:  regex
 */
BEGIN { tracemem(curthread, 40000); exit(0); }
