/* @tag: D_USTACK_FRAMES
 * a negative constant stays one, whatever the prototype says */
BEGIN { ustack(-1); }
