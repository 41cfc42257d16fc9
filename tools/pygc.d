#!/usr/sbin/dtrace -s
/*
 * pygc.d - garbage collections of a Python program, with their time and freed objects
 *
 * USAGE: pygc.d -c COMMAND | -p PID
 *
 *	GENERATION        TIMES    MEAN(us)     MAX(us)      FREED
 *	2                     4        2367        8646       2426
 *	0                    11        1147       12192        126
 *
 * MEAN(us) and MAX(us) are times of a collection, in which the program does no other work. FREED counts objects that
 * only referred to each other. The interpreter must be built with its probes, as distributions build it.
 */
#pragma D option quiet
#pragma D option escape=on

self int generation;

python$target:::gc-start
{
	self->generation = arg0;
	self->begun = timestamp;
}

python$target:::gc-done
/self->begun/
{
	@times[self->generation] = count();
	@mean[self->generation] = avg((timestamp - self->begun) / 1000);
	@most[self->generation] = max((timestamp - self->begun) / 1000);
	@freed[self->generation] = sum(arg0);
	self->begun = 0;
}

END
{
	printf("%-12s %10s %11s %11s %10s\n", "GENERATION", "TIMES", "MEAN(us)", "MAX(us)", "FREED");
	printa("%-12d %@10d %@11d %@11d %@10d\n", @times, @mean, @most, @freed);
}
