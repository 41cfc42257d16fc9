#@ what:    a classic rwbysize script with -C macros, an include file and printa() of several aggregations runs unmodified
#@ needs:   syscall
cd "$TMP" || exit 1
cat >common.h <<'END'
#ifndef _COMMON_H
#define	_COMMON_H
/*
 * Definitions that all of these scripts share.
 */
typedef struct rwstat {
	int rw_fd;
	uint64_t rw_bytes;
	char rw_dir;
} rwstat_t;
#define	MINE		(pid == $target)
#define	DATA(fd)	((fd) > 2)
#define	KILO(n)		((n) >> 10)
#endif	/* _COMMON_H */
END
cat >rwbysize.d <<'END'
#!/usr/sbin/dtrace -Cs
/*
 * rwbysize.d - distribution of I/O sizes
 *
 * USAGE: rwbysize.d -c command
 */

#pragma D option quiet
#pragma D option strsize=64

#include "common.h"

#ifndef __SUNW_D
#error "not D"
#endif

rwstat_t last;
self int fd;

dtrace:::BEGIN { printf("Tracing %s\n", $$1); }

syscall::read:entry,
syscall::write:entry
/MINE && DATA(arg0)/
{
	self->fd = arg0 + 1;		/* so that 0 means none */
	self->want = (size_t)arg2;
}

syscall::read:return,
syscall::write:return
/self->fd && (ssize_t)arg0 > 0/
{
	last.rw_fd = self->fd - 1;
	last.rw_bytes = arg0;
	last.rw_dir = probefunc == "read" ? 'R' : 'W';

	@size[probefunc] = lquantize(last.rw_bytes, 0, 4096, 1024);
	@bytes[last.rw_fd, last.rw_dir] = sum(last.rw_bytes);
	@ops[last.rw_fd, last.rw_dir] = count();
	@short_ops = sum(self->want > arg0);
}

syscall::read:return,
syscall::write:return
{
	self->fd = 0;
	self->want = 0;
}

dtrace:::END
{
	printf("last: %c %d bytes on %d\n", last.rw_dir, last.rw_bytes, last.rw_fd);
	printa("%-8s%@d", @size);
	printf("%4s %2s %8s %6s\n", "FD", "D", "BYTES", "OPS");
	printa("%4d %2c %@8d %@6d\n", @bytes, @ops);
	normalize(@bytes, 1 << 10);
	printa("%4d %2c %@8dK\n", @bytes);
	denormalize(@bytes);
	printa("%4d %2c %@8d\n", @bytes);
	printa("short: %@d\n", @short_ops);
}
END
"$DTRACE" -C -s rwbysize.d -c "$PROGS/write_sizes 1024 2048 1 1023 4095" now
