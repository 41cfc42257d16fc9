/*@
 * what:    a syntax error names the token
 * status:  1
 */
BEGIN { trace(1 }
