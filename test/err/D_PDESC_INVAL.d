/* @tag: D_PDESC_INVAL
 * @says: invalid probe description "a:b:c:d:e": Overspecified probe description
 * @line: 5
 * too many components, undefined macro in it, bad numeric id, id where not allowed */
a:b:c:d:e { }
