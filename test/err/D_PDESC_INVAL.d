/* @tag: D_PDESC_INVAL
 * @says: invalid probe description "a:b:c:d:e": Overspecified probe description
 * @line: 5
 * a malformed probe description, or a probe id where none is allowed, is an error */
a:b:c:d:e { }
