/* @tag: D_OP_DYN
 * @says: operator , operands may not be of dynamic type
 * @line: 5
 * dynamic operand of , or ?: */
BEGIN { @a = count(); trace((1, @a)); }
