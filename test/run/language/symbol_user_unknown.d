/*@
 * what:    ``NAME is an error without a traced process
 * status:  1
 * stderr:  contains
 */
BEGIN { trace(``counter); exit(0); }
