/*@
 * what:    0 deletes a stack
 */
self dt_stack_t s;
BEGIN { self->s = stack(); this->full = self->s == stack(); self->s = 0; printf("[%k]\n", self->s); exit(0); }
