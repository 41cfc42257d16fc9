/* @tag: D_SIZEOF_TYPE
 * size unknown or zero */
BEGIN { trace(sizeof(void)); }
