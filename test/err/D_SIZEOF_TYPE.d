/* @tag: D_SIZEOF_TYPE
 * @says: cannot apply sizeof to type "void": its size is unknown or zero
 * @line: 5
 * sizeof of a type with unknown or zero size is an error */
BEGIN { trace(sizeof(void)); }
