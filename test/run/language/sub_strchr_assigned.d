/*@
 * what:    the result of strchr(), also NULL, can be stored in global, self->, this-> and array variables
 */
BEGIN
{
	g = strchr("key=value", '=');
	self->s = strchr("key=value", '=');
	this->t = strchr("key=value", '=');
	a["k"] = strchr("key=value", '=');
	printf("%s %s %s %s\n", g, self->s, this->t, a["k"]);
	self->s = strchr("key", '=');
	this->t = strchr("key", '=');
	a["k"] = strchr("key", '=');
	printf("%d %d %d\n", self->s == NULL, this->t == NULL, a["k"] == NULL);
	exit(0);
}
