/* @tag: D_PDESC_INVAL
 * too many components, undefined macro in it, bad numeric id, id where not allowed */
a:b:c:d:e { }
