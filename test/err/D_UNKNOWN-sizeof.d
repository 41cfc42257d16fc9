/* @tag: D_UNKNOWN
 * a name in parentheses after sizeof that is nothing at all was meant as a type */
BEGIN { trace(sizeof (nosuch_t)); }
