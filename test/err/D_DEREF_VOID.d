/* @tag: D_DEREF_VOID
 * * on void * */
BEGIN { trace(*(void *)0); }
