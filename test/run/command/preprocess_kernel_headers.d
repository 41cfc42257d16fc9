/*@
 * what:    with -C, a program can include user-space headers of the kernel
 * run:     -Cqs %file%
 */
#include <linux/types.h>
#include <linux/stat.h>
#include <linux/in.h>
#include <linux/tcp.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
struct tcphdr header;
__s16 small;
BEGIN { small = -2; printf("%d %d %d\n", sizeof (struct tcphdr), small, S_IFREG == 0100000); exit(0); }
