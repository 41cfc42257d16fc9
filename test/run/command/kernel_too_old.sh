#@ what:    a kernel older than 5.10, which cannot run raw tracepoint programs on request, is refused with one sentence
#@ needs:   root cc
cat >"$TMP/old.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

int uname(struct utsname *system)
{
	const int result = ((int (*)(struct utsname *))dlsym(RTLD_NEXT, "uname"))(system);

	strcpy(system->release, "5.4.0-42-generic");
	return result;
}

long syscall(long number, ...)
{
	long a[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; ++i)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_bpf && a[0] == BPF_PROG_TEST_RUN) {
		errno = 524; /* ENOTSUPP of the kernel */
		return -1;
	}
	return ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
C
cc -shared -fPIC -o "$TMP/old.so" "$TMP/old.c" -ldl
export LD_PRELOAD="$TMP/old.so"
$DTRACE -qn 'BEGIN { exit(0); }' 2>&1
echo "status $?"
$DTRACE --doctor | grep '^  kernel '
