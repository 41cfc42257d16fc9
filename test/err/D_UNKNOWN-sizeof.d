/* @tag: D_UNKNOWN
 * @says: failed to resolve type nosuch_t: Unknown type name
 * @line: 5
 * a name in parentheses after sizeof that is nothing at all was meant as a type */
BEGIN { trace(sizeof (nosuch_t)); }
