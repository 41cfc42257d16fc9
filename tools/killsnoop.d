#!/usr/sbin/dtrace -s
/*
 * killsnoop.d - signals that processes send by kill(2) and similar calls, with the result
 *
 * USAGE: killsnoop.d [signal]
 *	signal	only this signal, by number
 *	With -c or -p: only what that process and its descendants send.
 *
 *	     PID COMMAND          CALL                 SIGNAL      TO RESULT
 *	     376 timeout          kill                     15     379 0
 *	     376 timeout          kill                     15       0 0
 *	     376 timeout          kill                     18     379 0
 *	     376 timeout          kill                     18       0 0
 *	signal 15: 2
 *	signal 18: 2
 *
 * PID and COMMAND are the sender, TO is the target, and RESULT is 0 or the error. Signals that the kernel sends itself
 * are not shown, such as SIGCHLD, SIGPIPE, or SIGINT from a terminal; signals.d shows these too.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	printf("%8s %-16s %-18s %8s %7s %s\n", "PID", "COMMAND", "CALL", "SIGNAL", "TO", "RESULT");
}

syscall::kill:entry, syscall::tkill:entry, syscall::rt_sigqueueinfo:entry
/$target == 0 || progenyof($target)/
{
	self->asked = 1;
	self->to = (int)arg0;
	self->signal = (int)arg1;
}

syscall::tgkill:entry, syscall::rt_tgsigqueueinfo:entry
/$target == 0 || progenyof($target)/
{
	self->asked = 1;
	self->to = (int)arg1;
	self->signal = (int)arg2;
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::rt_sigqueueinfo:return, syscall::rt_tgsigqueueinfo:return
/self->asked && ($1 == 0 || self->signal == $1)/
{
	printf("%8d %-16s %-18s %8d %7d %s\n", pid, execname, probefunc, self->signal, self->to,
	    errno == 0 ? "0" : strjoin("error ", lltostr(errno)));
	@sent[self->signal] = count();
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::rt_sigqueueinfo:return, syscall::rt_tgsigqueueinfo:return
{
	self->asked = 0;
	self->to = 0;
	self->signal = 0;
}

END
{
	printa("signal %d: %@d\n", @sent);
}
