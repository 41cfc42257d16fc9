/*@
 * what:    without a process a symbol with two backquotes is unknown
 * status:  1
 * stderr:  contains
 */
BEGIN { trace(``counter); exit(0); }
