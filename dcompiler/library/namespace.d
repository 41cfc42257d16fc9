/* defines: nspid nstid */
/* Ids of a process and its threads in their own pid namespace. PIDTYPE_TGID of include/linux/pid_types.h is 1. */
#pragma D binding "2.0" nspid
#pragma D binding "2.0" nstid
inline pid_t nspid = curthread->signal->pids[1]->numbers[curthread->signal->pids[1]->level].nr;
inline id_t nstid = curthread->thread_pid->numbers[curthread->thread_pid->level].nr;
