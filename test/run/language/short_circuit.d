/*@
 * what:    && and || do not evaluate their right operand if the left one decides the result
 */
BEGIN
{
	n = 0;
	z = 0;
	o = 1;
	trace(z && n++);
	trace(o || n++);
	trace(n);
	trace(o && ++n);
	trace(z || ++n);
	trace(n);
	trace(z ^^ ++n);
	trace(n);
	exit(0);
}
