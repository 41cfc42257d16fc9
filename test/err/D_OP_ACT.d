/* @tag: D_OP_ACT
 * action inside , or ?: */
BEGIN { pid ? exit(0) : exit(1); }
