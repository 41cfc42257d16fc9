/* @tag: D_OP_DYN
 * @says: operator , operands may not be of dynamic type
 * @line: 5
 * an aggregation as operand of the comma or ?: operator is an error */
BEGIN { @a = count(); trace((1, @a)); }
