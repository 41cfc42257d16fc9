/*@
 * what:    bufpolicy=fill refuses a buffer without space for the samples of END
 * run:     -x bufpolicy=fill -b 8 -qs %file%
 * status:  1
 * stderr:  contains
 */
BEGIN { exit(0); }
END { trace(1); }
END { trace(2); }
