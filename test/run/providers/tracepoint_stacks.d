/*@
 * what:    the kernel accepts clauses with stacks and faults at rawtp and sdt events of interrupts and idle CPUs
 * needs:   root
 * run:     -qs %file%
 */
rawtp:irq::softirq_entry, sdt:irq::softirq_entry, rawtp:timer::hrtimer_start, sdt:timer::hrtimer_start { @[stack(), probeprov] = count(); }
sdt:sched::sched_switch { @to[args[0], stack(2), ustack(2)] = count(); }
rawtp:sched::sched_switch { @from[stringof(args[1]->comm), caller] = count(); self->on = timestamp; }
ERROR { @errors[stack(1)] = count(); }
BEGIN { printf("taken\n"); exit(0); }
END { clear(@); trunc(@); trunc(@to); trunc(@from); trunc(@errors); }
