/*@
 * what:    both kinds of comments are ignored, and similar text in strings is kept
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
