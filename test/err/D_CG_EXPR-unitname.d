/* @tag: D_CG_EXPR
 * @says: variable unitname may not be used in a D expression: its text is only known when it is printed
 * @line: 5
 * a variable whose text is known only when printed is an error inside an expression */
BEGIN /unitname == "sshd.service"/ { exit(0); }
