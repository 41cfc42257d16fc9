/*@
 * what:    strtok() continues with the same string in a later clause of the probe hit
 */
BEGIN
{
	this->s = "  one,two;;three ,";
	printf("[%s]", strtok(this->s, " ,;"));
	printf("[%s]", strtok(NULL, " ,;"));
}
BEGIN
{
	printf("[%s]", strtok(NULL, " ,;"));
	printf("%d", strtok(NULL, " ,;") == NULL);
	printf("%d\n", strtok(NULL, " ,;") == NULL);
	exit(0);
}
