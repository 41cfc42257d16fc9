/* defines: timestruc_t timestruc lwpsinfo_t lwpsinfo psinfo_t psinfo curpsinfo curlwpsinfo execargs */
/* Processes and threads in DTrace's types, translated from the kernel's task (dtrace-variables(7), curpsinfo). Members without a
 * definition are too expensive to compute or have no meaning on Linux. */
typedef struct timestruc {
	int64_t tv_sec;
	int64_t tv_nsec;
} timestruc_t;

translator timestruc_t < uint64_t NS > {
	tv_sec = NS / 1000000000;
	tv_nsec = NS % 1000000000;
};

typedef struct lwpsinfo {
	int pr_flag;
	int pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	ushort_t pr_pad;
	timestruc_t pr_start;
	timestruc_t pr_time;
	char pr_clname[8];
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	int pr_lgrp;
	int pr_filler[4];
} lwpsinfo_t;

/* State bits: include/linux/sched.h; before Linux 5.14 the member is named state. Those of a task's end are in exit_state. Scheduling
 * policies: include/uapi/linux/sched.h. */
#pragma D attributes Stable/Stable/Common translator
translator lwpsinfo_t < struct task_struct *T > {
?task_struct.__state	pr_flag = T->__state & 4 ? PR_STOPPED : 0;
!task_struct.__state	pr_flag = T->state & 4 ? PR_STOPPED : 0;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = 0;
?task_struct.__state	pr_state = T->__state & 0x3 ? SSLEEP : T->__state & 0xc ? SSTOP : (T->__state | T->exit_state) & 0xb0 ? SZOMB : T->__state & 0x300 ? SWAIT : SRUN;
?task_struct.__state	pr_sname = T->__state & 0x3 ? 'S' : T->__state & 0xc ? 'T' : (T->__state | T->exit_state) & 0xb0 ? 'Z' : T->__state & 0x300 ? 'W' : 'R';
!task_struct.__state	pr_state = T->state & 0x3 ? SSLEEP : T->state & 0xc ? SSTOP : (T->state | T->exit_state) & 0xb0 ? SZOMB : T->state & 0x300 ? SWAIT : SRUN;
!task_struct.__state	pr_sname = T->state & 0x3 ? 'S' : T->state & 0xc ? 'T' : (T->state | T->exit_state) & 0xb0 ? 'Z' : T->state & 0x300 ? 'W' : 'R';
	pr_nice = T->static_prio - 120;
	pr_syscall = T == curthread ? (short)uregs[R_ERR] : -1;
	pr_pri = T->prio;
	pr_start = xlate <timestruc_t> (T->start_time);
	pr_time = xlate <timestruc_t> (T->se.sum_exec_runtime);
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FIFO" : T->policy == 2 ? "RR" : T->policy == 3 ? "BATCH" :
	    T->policy == 5 ? "IDLE" : T->policy == 6 ? "DEADLINE" : T->policy == 7 ? "EXT" : "";
	pr_name = T->comm;
?thread_info.cpu	pr_onpro = T->thread_info.cpu;
!thread_info.cpu	pr_onpro = T->cpu;
};

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	size_t pr_pad1;
	struct tty_struct *pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	char pr_fname[16];
	char pr_psargs[80];
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	int pr_taskid;
	int pr_projid;
	int pr_nzomb;
	int pr_poolid;
	int pr_zoneid;
	int pr_contract;
	lwpsinfo_t pr_lwp;
} psinfo_t;

/* PIDTYPE_PGID is 2 and PIDTYPE_SID 3. pr_wstat is 0 until the process ends. SIGNAL_GROUP_EXIT is 4; before Linux 6.0 it is not set if all
 * threads ended by themselves, and then the status is that of the first thread. A 32-bit program has no addresses beyond 4 GiB.
 * pr_time of a process with several threads covers the ended threads and this thread. */
#pragma D attributes Stable/Stable/Common translator
translator psinfo_t < struct task_struct *T > {
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_ttydev = T->signal->tty != NULL ? T->signal->tty : (struct tty_struct *)-1;
	pr_start = xlate <timestruc_t> (T->group_leader->start_time);
	pr_time = xlate <timestruc_t> (T->signal->sum_sched_runtime + T->se.sum_exec_runtime);
	pr_ctime = xlate <timestruc_t> (T->signal->cutime + T->signal->cstime);
	pr_fname = T->comm;
	pr_psargs = _psargs(T);
	pr_wstat = (T->signal->flags & 4) != 0 ? T->signal->group_exit_code : T->signal->live.counter == 0 ? T->group_leader->exit_code : 0;
	pr_argv = T->mm != NULL ? T->mm->arg_start : 0;
	pr_envp = T->mm != NULL ? T->mm->env_start : 0;
	pr_dmodel = T->mm != NULL && T->mm->task_size <= 0xffffffff ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_lwp = xlate <lwpsinfo_t> (T);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
inline string execargs = curpsinfo->pr_psargs;

#pragma D attributes Stable/Stable/Common curpsinfo
#pragma D attributes Stable/Stable/Common curlwpsinfo
#pragma D attributes Stable/Stable/Common execargs
