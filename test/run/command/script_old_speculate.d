/*@
 * what:    a classic script that speculates on every open() and commits only failed ones runs unmodified
 * needs:   syscall open
 * run:     -s %file% -c '%progs%/open_files /dev/null /no/such/file /dev/zero /not/there' ENOENT
 */
#pragma D option quiet
#pragma D option nspec=16
#pragma D option cleanrate=50hz

dtrace:::BEGIN { printf("looking for %s\n", $$1); }

syscall::open:entry, syscall::openat:entry
/pid == $target/
{
	/*
	 * The path is recorded only in the speculation.
	 */
	self->spec = speculation();
}

syscall::openat:entry
/self->spec/
{
	speculate(self->spec);
	printf("%s ", stringof(copyinstr(arg1)));
}

syscall::open*:return
/self->spec/
{
	speculate(self->spec);
	printf("errno=%d ", errno);
}

syscall::open*:return
/self->spec && errno == 0/
{
	discard(self->spec);
	self->spec = 0;
}

syscall::open*:return
/self->spec && errno/
{
	commit(self->spec);
	self->spec = 0;
	failed++;
}

syscall::open*:return /failed != shown/ { printf("(%s)\n", errno == ENOENT ? "ENOENT" : "other"); shown = failed; }

dtrace:::END { printf("%d failed\n", failed); }
