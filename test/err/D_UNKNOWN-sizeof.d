/* @tag: D_UNKNOWN
 * @says: failed to resolve type nosuch_t: Unknown type name
 * @line: 5
 * an unknown name in parentheses after sizeof is reported as an unknown type */
BEGIN { trace(sizeof (nosuch_t)); }
