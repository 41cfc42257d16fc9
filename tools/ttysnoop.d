#!/usr/sbin/dtrace -s
/*
 * ttysnoop.d - output written to a terminal, as it is written
 *
 * USAGE: ttysnoop.d [terminal]
 *	terminal	only this terminal, such as pts/2 or tty1 (default: all)
 *	With -c or -p: only what that process and its descendants write.
 *
 *	$ ls
 *	notes.txt  tracing.d
 *	$
 *
 * On a terminal, control characters are shown as \033 and similar; -x escape=off prints them unchanged, including
 * colors and cursor moves. Typed text appears if the terminal echoes it. A write of more than 4096 bytes is truncated.
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option strsize=4096
#pragma D option switchrate=10hz

inline string path[int file] = fds[file].fi_pathname;

syscall::write:entry
/($target == 0 || progenyof($target)) && pid != $pid && arg2 != 0 && fds[arg0].fi_fs == "devpts" && ($$1 == "" || path[arg0] == strjoin("/dev/", $$1))/
{
	self->text = arg1;
}

syscall::write:entry
/($target == 0 || progenyof($target)) && pid != $pid && arg2 != 0 && fds[arg0].fi_fs == "devtmpfs" && substr(fds[arg0].fi_name, 0, 3) == "tty" && substr(fds[arg0].fi_name, 3, 1) <= "9" &&
    ($$1 == "" || path[arg0] == strjoin("/dev/", $$1))/
{
	self->text = arg1;
}

syscall::write:return
/self->text && errno == 0/
{
	printf("%s", copyinstr(self->text, arg1 + 1, "(unreadable)"));
}

syscall::write:return
{
	self->text = 0;
}
