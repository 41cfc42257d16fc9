/*@
 * what:    a classic script that splits paths and numbers with string functions runs unmodified
 * run:     -qs %file% /usr/local/lib/libfoo.so.1 'a=1,b=22,c=333' 1234567
 */
#pragma D option strsize=128

inline string VERSION	= "1.07";	/* as printed */
inline char SLASH	= '/';

this string	path;
this string	rest;
this int	len, dot;

dtrace:::BEGIN
{
	this->path = $$1;
	this->len = strlen(this->path);
	this->dot = index(this->path, ".");

	printf("%s: base \"%s\" dir \"%s\"\n", VERSION, basename(this->path), dirname(this->path));
	printf("%-10.10s|%10.4s|%*s|%-*s|\n", this->path, this->path, 8, "right", 8, "left");

	this->ext = this->dot == -1 ? "<none>" : substr(this->path, this->dot + 1);
	this->stem = this->dot < 0 ? this->path : substr(this->path, 0, this->dot);
	printf("len %d ext %s stem %s\n", this->len, this->ext, this->stem);

	this->kind = strstr(this->path, "/lib/") != NULL ? "library" :
	    strstr(this->path, "/bin/") != NULL ? "program" :
	    this->path == "" ? "nothing" : "file";
	printf("%s, last slash at %d, after it %s\n", this->kind,
	    rindex(this->path, "/"), strrchr(this->path, SLASH));
}

/* key=value pairs */
dtrace:::BEGIN
{
	this->rest = $$2;
	this->k1 = strtok(this->rest, ",");	this->k2 = strtok(NULL, ",");
	this->k3 = strtok(NULL, ",");		this->k4 = strtok(NULL, ",");
	this->eq = index(this->k2, "=");
	printf("%s %s %s %s: %s is %s\n", this->k1, this->k2, this->k3,
	    this->k4 == NULL ? "(end)" : this->k4,
	    substr(this->k2, 0, this->eq), substr(this->k2, this->eq + 1));
}

/* 1234567 with commas, the way it was done before %'d */
dtrace:::BEGIN
{
	this->n = $3;
	this->s = this->n >= 1000000 ?
	    strjoin(strjoin(lltostr(this->n / 1000000), ","), strjoin(lltostr((this->n / 1000) % 1000),
	    strjoin(",", lltostr(this->n % 1000)))) :
	    lltostr(this->n);
	printf("%s %s\n", this->s, strjoin(strjoin("<", lltostr(-5)), ">"));
	printf("%s\n", cleanpath("/a/./b//../c"));
}

dtrace:::BEGIN
/substr("hello", 1, 3) == "ell" && "abc" < "abd" && strlen("") == 0 &&
    ("x" == "x") && !("x" == "y")/
{
	printf("%c%c%c %S\n", "xyz"[2], 'A', 'a' + 1, "tab\there");
	exit(0);
}
