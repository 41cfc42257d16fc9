/*@
 * what:    assigning 0 to a variable deletes the stack that the variable holds
 */
self dt_stack_t s;
BEGIN { self->s = stack(); this->full = self->s == stack(); self->s = 0; printf("[%k]\n", self->s); exit(0); }
