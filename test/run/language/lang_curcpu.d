/*@
 * what:    the pointer curcpu can be stored in a variable and used later
 */
BEGIN { c = curcpu; printf("%d %d %d\n", c->cpu_id == cpu, c->cpu_chip == chip, c->cpu_lgrp); exit(0); }
