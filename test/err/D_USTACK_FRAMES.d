/* @tag: D_USTACK_FRAMES
 * frame count not a positive INT */
BEGIN { ustack(pid); }
