/*@
 * what:    json() returns the text of the value at a path, and NULL if the path does not exist
 */
BEGIN
{
	this->d = "{\"a\": {\"b\": [10, -2.5e3, {\"c\": \"text\"}], \"b2\": true}, \"s\": \"q\\\"\\u0041\", \"e\": {}, \"n\": null}";
	printf("%s|%s|%s|%s\n", json(this->d, "a.b[0]"), json(this->d, "a.b[1]"), json(this->d, "a.b[2].c"), json(this->d, "a.b2"));
	printf("%s|%s|%s|%s\n", json(this->d, "s"), json(this->d, "e"), json(this->d, "n"), json(this->d, "a.b"));
	printf("%d%d%d%d%d%d\n", json(this->d, "a.b[3]") == NULL, json(this->d, "b") == NULL, json(this->d, "a.b.c") == NULL,
	    json(this->d, "a[0]") == NULL, json(this->d, "") == NULL, json(this->d, "s.t") == NULL);
	printf("%s %d\n", json("[[1, 2], [3]]", "[1][0]"), strtoll(json(this->d, "a.b[0]")) + 1);
	@[json(this->d, "a.b[2].c")] = count();
	printa("%s %@d\n", @);
}
BEGIN
/json("{\"name\": \"bash\"}", "name") == "bash"/
{
	printf("as text\n");
	exit(0);
}
