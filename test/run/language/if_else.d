/*@
 * what:    the records of the branches that run print on one line
 * run:     -s %file%
 */
BEGIN
{
	n = 3;
	if (n > 2) { trace(1); } else { trace(2); }
	if (n > 5)
		trace(3);
	else if (n == 3)
		trace(4);
	else
		trace(5);
	exit(0);
}
