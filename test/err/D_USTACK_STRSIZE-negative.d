/* @tag: D_USTACK_STRSIZE
 * a negative constant stays one, whatever the prototype says */
BEGIN { ustack(4, -1); }
