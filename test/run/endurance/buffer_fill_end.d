/*@
 * what:    with bufpolicy=fill, the trace does not start if the buffer has no space for the records of END
 * run:     -x bufpolicy=fill -b 8 -qs %file%
 * status:  1
 * stderr:  contains
 */
BEGIN { exit(0); }
END { trace(1); }
END { trace(2); }
