/* @tag: D_STACK_SIZE
 * frame count not a positive INT */
BEGIN { stack(pid); }
