/*@
 * what:    enumname() prints the name of an enumerator, the names of flags, or the number of a value without name
 */
enum color { RED, GREEN = 7, BLUE = -1 };
enum flags { NONE, READ = 1, WRITE = 2, EXEC = 4 };
struct both { enum color c; enum flags f : 4; };
BEGIN
{
	this->b = (struct both *)alloca(sizeof(struct both));
	this->b->c = (enum color)-1;
	this->b->f = (enum flags)5;
	printf("%s %s|%6s|%s\n", enumname(this->b->c), enumname(this->b->f), enumname((enum color)0), enumname((enum color)8));
	printf("%s %s %s\n", enumname((enum flags)0), enumname((enum flags)7), enumname((enum flags)9));
	trace(enumname((enum color)7));
	print(enumname((enum color)7));
	@[enumname((enum color)7)] = count();
	@[enumname((enum color)-1)] = count();
	exit(0);
}
