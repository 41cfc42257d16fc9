#!/usr/sbin/dtrace -s
/*
 * requesttime.d - parts of the time of a server's connections, from accept(2) to close(2), over all its threads
 *
 * USAGE: requesttime.d [PID|NAME]
 *	PID|NAME	a process, or all that have this name (default: all; with -c or -p that process and its descendants)
 *
 *	  served           3 connections, 52 ms each
 *
 *	  served
 *	            part  ----------- Part of the time ----------- percent       time
 *	          queued |@@@@@@@@@@@@@@@@@@@@                      50.63   60479563
 *	            user |@@@@@@@@@@                                26.18   31270018
 *	          kernel |@@@@@                                     12.84   15342101
 *	            runq |@@@@                                      10.35   12360214
 *
 * Times are in nanoseconds unless marked. A thread starts working for a connection when accept(2) returns it, or when it reads or
 * writes the connection. This work ends when the thread calls accept(2) again, waits in poll(2), select(2) or
 * epoll_wait(2), changes to another connection, or closes this one. A connection without a working thread is queued.
 * The parts are those of breakdown() (dtrace-aggregations(7), REQUESTS). If several threads work for a connection at
 * once, the parts exceed its time. A thread that waits for work in another way, such as a condition variable, counts
 * for its last connection until that is closed. A connection is identified by process and descriptor, so the process
 * that accepted it must close it. dtrace-time(7) shows how to trace other kinds of requests with probes of the program.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
/* Some machines have no poll and select system calls. */
#pragma D option zdefs

BEGIN
{
	number = strtoll($$1);
}

syscall::accept*:return,
syscall::close:entry
/$$1 == "" ? $target == 0 || progenyof($target) : execname == $$1 || (number && pid == number)/
{
	self->asked = 1;
}

syscall::accept*:return
/self->asked && (int)arg1 >= 0/
{
	self->key = ((uint64_t)pid << 32) | (uint32_t)arg1;
	request_begin(self->key);
}

syscall::read*:entry,
syscall::write*:entry,
syscall::recv*:entry,
syscall::send*:entry,
syscall::shutdown:entry
/request(((uint64_t)pid << 32) | (uint32_t)arg0)/
{
	self->key = ((uint64_t)pid << 32) | (uint32_t)arg0;
	request_begin(self->key);
}

syscall::accept*:entry,
syscall::epoll_*wait*:entry,
syscall::poll:entry,
syscall::ppoll:entry,
syscall::select:entry,
syscall::pselect6:entry
/self->key/
{
	request_end(self->key);
	self->key = 0;
}

syscall::close:entry
/self->asked && request(((uint64_t)pid << 32) | (uint32_t)arg0)/
{
	self->closes = ((uint64_t)pid << 32) | (uint32_t)arg0;
	@connections[execname] = count();
	@wall[execname] = avg(timestamp - request(self->closes));
	@parts[execname] = breakdown(request(self->closes));
	request_done(self->closes);
	self->closes = 0;
}

syscall::accept*:return,
syscall::close:entry
/self->asked/
{
	self->asked = 0;
}

END
{
	normalize(@wall, 1000000);
	printa("  %-16s %@d connections, %@d ms each\n", @connections, @wall);
	printa(@parts);
}
