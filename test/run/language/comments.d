/*@
 * what:    the compiler ignores both kinds of comments, and keeps text like // inside a string
 */
// a line comment
/* a block
   comment */
BEGIN /* here */
/1/ // and there
{
	printf("// not a comment /* nor this */\n"); // but this
	printf("%d\n", 8 /* between */ / 2);
	exit(0);
}
