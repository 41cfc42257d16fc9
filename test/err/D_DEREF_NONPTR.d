/* @tag: D_DEREF_NONPTR
 * * or [] on something that is no pointer */
BEGIN { trace(*pid); }
