/*@
 * what:    reading an array element after it was deleted and assigned again gives the new value
 */
BEGIN
{
	a[1] = 7;
	trace(a[1]);
	a[1] = 0;
	trace(a[1]);
	a[1]++;
	trace(a[1]);
	a[1]++;
	trace(a[1]);
	k = 1;
	trace(a[k]);
	a[k] = 0;
	trace(a[1]);
	trace(a[k + 1]);
}
BEGIN { self->x++; self->x++; trace(self->x); self->x = 0; trace(self->x); self->x = 5; trace(self->x); exit(0); }
