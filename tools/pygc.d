#!/usr/sbin/dtrace -s
/*
 * pygc.d - garbage collections of a Python program, with their time and what they freed
 *
 * USAGE: pygc.d -c COMMAND | -p PID
 *
 *	GENERATION        TIMES    MEAN(us)     MAX(us)      FREED
 *	2                     4        2367        8646       2426
 *	0                    11        1147       12192        126
 *
 * FREED are objects that nothing but each other referred to. The program does nothing else during a collection. The interpreter must have been built with
 * its probes, as those of distributions are.
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
