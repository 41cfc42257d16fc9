/* defines: nspid nstid */
/* The ids by which a process and its threads know themselves: those in their own pid namespace. include/linux/pid_types.h: PIDTYPE_TGID 1. */
#pragma D binding "2.0" nspid
#pragma D binding "2.0" nstid
inline pid_t nspid = curthread->signal->pids[1]->numbers[curthread->signal->pids[1]->level].nr;
inline id_t nstid = curthread->thread_pid->numbers[curthread->thread_pid->level].nr;
