#!/usr/sbin/dtrace -s
/*
 * mountsnoop.d - file systems that are mounted and unmounted, with the result
 *
 * USAGE: mountsnoop.d
 *	With -c or -p: only what that process and its descendants mount.
 *
 *	     PID COMMAND          CALL       ERR TYPE       SOURCE               TARGET
 *	     821 mount            mount        0 tmpfs      none                 /tmp/demo
 *	     825 umount           umount         0 -          -                    /tmp/demo
 *
 * ERR is 0 or the error number. SOURCE and TARGET are the strings that the process passed. A mount by the newer calls
 * (fsopen(2), fsmount(2)) is shown at its move_mount call, where only the target is known.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	printf("%8s %-16s %-10s %3s %-10s %-20s %s\n", "PID", "COMMAND", "CALL", "ERR", "TYPE", "SOURCE", "TARGET");
}

syscall::mount:entry
/$target == 0 || progenyof($target)/
{
	self->source = arg0;
	self->to = arg1;
	self->called = 1;
	self->type = arg2;
}

syscall::umount:entry
/$target == 0 || progenyof($target)/
{
	self->to = arg0;
	self->called = 1;
}

syscall::move_mount:entry
/$target == 0 || progenyof($target)/
{
	self->to = arg3;
	self->called = 1;
}

syscall::mount:return, syscall::umount:return, syscall::move_mount:return
/self->called/
{
	printf("%8d %-16s %-10s %3d %-10s %-20s %s\n", pid, execname, probefunc, errno, self->type ? copyinstr(self->type, 4096, "(unreadable)") : "-",
	    self->source ? copyinstr(self->source, 4096, "(unreadable)") : "-", copyinstr(self->to, 4096, "(unreadable)"));
	@[errno == 0 ? "done" : "refused"] = count();
	self->to = 0;
	self->called = 0;
	self->source = 0;
	self->type = 0;
}

END
{
	printa("%@d %s\n", @);
}
