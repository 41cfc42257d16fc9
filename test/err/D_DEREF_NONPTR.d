/* @tag: D_DEREF_NONPTR
 * */[] on non-pointer */
BEGIN { trace(*pid); }
