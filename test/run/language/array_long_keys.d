/*@
 * what:    associative arrays can have keys of more than 512 bytes
 */
#pragma D option strsize=600
BEGIN
{
    a["x", "y"] = 3;
    a["x", "z"] = 4;
    self->text["x", "y"] = "a string";
    a["x", "y"] += a["x", "z"];
    a["x", "z"] = 0;
    printf("%d %d %d %s %d\n", a["x", "y"], a["x", "z"], a["y", "x"], self->text["x", "y"], self->text["y", "x"] == NULL);
    exit(0);
}
