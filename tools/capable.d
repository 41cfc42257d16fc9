#!/usr/sbin/dtrace -s
/*
 * capable.d - capability checks of the kernel, with their results
 *
 * USAGE: capable.d [name]
 *	name	only processes of this name
 *	With -c or -p: only that process and its descendants.
 *
 *	     UID      PID COMMAND          CAP NAME                 ANSWER
 *	       0     1325 nice              23 CAP_SYS_NICE         yes
 *
 * CAP is the number of the capability, NAME its name, ANSWER whether the process has it. The tool needs a kernel with
 * kprobes. It also shows checks that create no audit record; the kernel makes many of these routinely.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline string name[int number] = number == 0 ? "CAP_CHOWN" : number == 1 ? "CAP_DAC_OVERRIDE" : number == 2 ? "CAP_DAC_READ_SEARCH" :
    number == 3 ? "CAP_FOWNER" : number == 4 ? "CAP_FSETID" : number == 5 ? "CAP_KILL" : number == 6 ? "CAP_SETGID" : number == 7 ? "CAP_SETUID" :
    number == 8 ? "CAP_SETPCAP" : number == 9 ? "CAP_LINUX_IMMUTABLE" : number == 10 ? "CAP_NET_BIND_SERVICE" : number == 11 ? "CAP_NET_BROADCAST" :
    number == 12 ? "CAP_NET_ADMIN" : number == 13 ? "CAP_NET_RAW" : number == 14 ? "CAP_IPC_LOCK" : number == 15 ? "CAP_IPC_OWNER" :
    number == 16 ? "CAP_SYS_MODULE" : number == 17 ? "CAP_SYS_RAWIO" : number == 18 ? "CAP_SYS_CHROOT" : number == 19 ? "CAP_SYS_PTRACE" :
    number == 20 ? "CAP_SYS_PACCT" : number == 21 ? "CAP_SYS_ADMIN" : number == 22 ? "CAP_SYS_BOOT" : number == 23 ? "CAP_SYS_NICE" :
    number == 24 ? "CAP_SYS_RESOURCE" : number == 25 ? "CAP_SYS_TIME" : number == 26 ? "CAP_SYS_TTY_CONFIG" : number == 27 ? "CAP_MKNOD" :
    number == 28 ? "CAP_LEASE" : number == 29 ? "CAP_AUDIT_WRITE" : number == 30 ? "CAP_AUDIT_CONTROL" : number == 31 ? "CAP_SETFCAP" :
    number == 32 ? "CAP_MAC_OVERRIDE" : number == 33 ? "CAP_MAC_ADMIN" : number == 34 ? "CAP_SYSLOG" : number == 35 ? "CAP_WAKE_ALARM" :
    number == 36 ? "CAP_BLOCK_SUSPEND" : number == 37 ? "CAP_AUDIT_READ" : number == 38 ? "CAP_PERFMON" : number == 39 ? "CAP_BPF" :
    number == 40 ? "CAP_CHECKPOINT_RESTORE" : "?";

BEGIN
{
	printf("%8s %8s %-16s %3s %-22s %s\n", "UID", "PID", "COMMAND", "CAP", "NAME", "ANSWER");
}

fbt::cap_capable:entry
/($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	self->asked = arg2 + 1;
}

fbt::cap_capable:return
/self->asked/
{
	printf("%8d %8d %-16s %3d %-22s %s\n", uid, pid, execname, self->asked - 1, name[self->asked - 1], (int)arg1 == 0 ? "yes" : "no");
	@[(int)arg1 == 0 ? "yes" : "no"] = count();
	self->asked = 0;
}

END
{
	printa("%@d answered %s\n", @);
}
