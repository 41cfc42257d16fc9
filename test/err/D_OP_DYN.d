/* @tag: D_OP_DYN
 * dynamic operand of , or ?: */
BEGIN { @a = count(); trace((1, @a)); }
