/* @tag: D_CG_EXPR
 * @says: variable unitname may not be used in a D expression: its text is only known when it is printed
 * @line: 5
 * unitname inside an expression is an error, because its text is known only when it is printed */
BEGIN /unitname == "sshd.service"/ { exit(0); }
