/*@
 * what:    cpu equals curcpu->cpu_id, and pset and lgrp are 0
 */
BEGIN { printf("%d %d %d %d\n", cpu == curcpu->cpu_id, pset, lgrp, curcpu->cpu_pset + curcpu->cpu_lgrp); }
BEGIN { printf("%d\n", cpu >= 0 && cpu < 4096); exit(0); }
