/*@
 * what:    x, self->x, this->x and @x are four independent variables
 */
BEGIN { x = 1; self->x = 2; this->x = 3; @x = count(); printf("%d %d %d\n", x, self->x, this->x); exit(0); }
