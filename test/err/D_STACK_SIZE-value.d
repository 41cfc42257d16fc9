/* @tag: D_STACK_SIZE
 * a negative constant stays one, whatever the prototype says */
BEGIN { x = stack(-1); }
