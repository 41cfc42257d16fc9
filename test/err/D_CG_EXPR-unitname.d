/* @tag: D_CG_EXPR
 * @says: variable unitname may not be used in a D expression: its text is found only when it is printed
 * @line: 5
 * text that the kernel does not have */
BEGIN /unitname == "sshd.service"/ { exit(0); }
