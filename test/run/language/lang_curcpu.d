/*@
 * what:    curcpu can be stored in a variable and dereferenced
 */
BEGIN { c = curcpu; printf("%d %d %d\n", c->cpu_id == cpu, c->cpu_chip == chip, c->cpu_lgrp); exit(0); }
