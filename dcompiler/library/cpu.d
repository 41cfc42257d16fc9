/* defines: cpu pset chip lgrp */
/* The current CPU (dtrace-variables(7), curcpu). */
inline processorid_t cpu = curcpu->cpu_id;
inline psetid_t pset = curcpu->cpu_pset;
inline chipid_t chip = curcpu->cpu_chip;
inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
