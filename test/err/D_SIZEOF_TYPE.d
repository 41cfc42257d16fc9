/* @tag: D_SIZEOF_TYPE
 * @says: cannot apply sizeof to type "void": its size is unknown or zero
 * @line: 5
 * size unknown or zero */
BEGIN { trace(sizeof(void)); }
