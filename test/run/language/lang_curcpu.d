/*@
 * what:    curcpu may be stored and followed
 */
BEGIN { c = curcpu; printf("%d %d %d\n", c->cpu_id == cpu, c->cpu_chip == chip, c->cpu_lgrp); exit(0); }
