// SPDX-License-Identifier: GPL-2.0
/*
 * The filters as native kernel code, as if a tracer had each filter compiled in. A module for guest machines only; it
 * runs one filter at a time, selected by name:
 *
 *   insmod dt_filter.ko filter=chain_4; cat /sys/module/dt_filter/parameters/{runs,ns,passed}; rmmod dt_filter
 *
 * Time is measured like the kernel's BPF statistics (bpf_prog_run with statistics enabled): clock, call through a
 * pointer, clock. So the difference to an empty filter is the filter's own time in both cases.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

struct chain_source {
	struct pt_regs registers;
};

static inline __attribute__((always_inline)) long long chain_word(const struct chain_source *source, int word)
{
	switch (word) {
	case 0:
		return source->registers.di;
	case 1:
		return source->registers.si;
	case 2:
		return source->registers.dx;
	case 3:
		return source->registers.r10;
	case 4:
		return source->registers.r8;
	default:
		return source->registers.r9;
	}
}

#include "test/bench/filters/predicates.h"

#define CHAIN_CALL 311 /* process_vm_writev, the only system call whose events the chain filters check */

struct account {
	u64 runs, ns, passed;
};
static DEFINE_PER_CPU(struct account, accounts);

/* Arguments of a tracepoint in the form of a BPF program's context. */
typedef void (*filter_of)(const u64 *args);

static void count(void)
{
	this_cpu_inc(accounts.passed);
}

static void none(const u64 *args)
{
}

#define CHAIN(LENGTH, CONDITION)                                                       \
	static void chain_of_##LENGTH(const u64 *args)                                 \
	{                                                                              \
		const struct chain_source *source = (const struct chain_source *)args[0]; \
                                                                                       \
		if (args[1] == CHAIN_CALL && (CONDITION))                              \
			count();                                                       \
	}

CHAIN(0, source)
CHAIN(1, chain_1(source))
CHAIN(2, chain_2(source))
CHAIN(4, chain_4(source))
CHAIN(8, chain_8(source))
CHAIN(16, chain_16(source))

static void all(const u64 *args)
{
	count();
}

static void packet(const u64 *args)
{
	const struct sk_buff *buffer = (const struct sk_buff *)args[0];
	const char *name = buffer->dev->name;

	if (name[0] == 'l' && name[1] == 'o' && name[2] == 0 && buffer->protocol == DT_PACKET_PROTOCOL &&
	    buffer->len > DT_PACKET_LENGTH)
		count();
}

static void task_switch(const u64 *args)
{
	const struct task_struct *before = (const struct task_struct *)args[1];

	if (memcmp(before->comm, "filt", 4) == 0 && (u32)args[3] == DT_SWITCH_STATE)
		count();
}

static filter_of chosen;

static void run(const u64 *args)
{
	struct account *account;
	u64 start = sched_clock();

	READ_ONCE(chosen)(args);
	account = this_cpu_ptr(&accounts);
	account->runs++;
	account->ns += sched_clock() - start;
}

static void on_enter(void *data, struct pt_regs *registers, long number)
{
	const u64 args[] = {(u64)registers, number};

	run(args);
}

static void on_receive(void *data, struct sk_buff *buffer)
{
	const u64 args[] = {(u64)buffer};

	run(args);
}

static void on_switch(void *data, bool preempted, struct task_struct *before, struct task_struct *after,
		      unsigned int state)
{
	const u64 args[] = {preempted, (u64)before, (u64)after, state};

	run(args);
}

static const struct row {
	const char *name, *tracepoint;
	void *probe;
	filter_of filter;
} rows[] = {
	{"chain_empty", "sys_enter", on_enter, none},
	{"chain_0", "sys_enter", on_enter, chain_of_0},
	{"chain_1", "sys_enter", on_enter, chain_of_1},
	{"chain_2", "sys_enter", on_enter, chain_of_2},
	{"chain_4", "sys_enter", on_enter, chain_of_4},
	{"chain_8", "sys_enter", on_enter, chain_of_8},
	{"chain_16", "sys_enter", on_enter, chain_of_16},
	{"packet_empty", "netif_receive_skb", on_receive, none},
	{"packet_0", "netif_receive_skb", on_receive, all},
	{"packet", "netif_receive_skb", on_receive, packet},
	{"switch_empty", "sched_switch", on_switch, none},
	{"switch_0", "sched_switch", on_switch, all},
	{"switch", "sched_switch", on_switch, task_switch},
};

static char *filter = "";
module_param(filter, charp, 0444);

static int sum_of(char *text, const struct kernel_param *parameter)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *(u64 *)((char *)per_cpu_ptr(&accounts, cpu) + (unsigned long)parameter->arg);
	return sysfs_emit(text, "%llu\n", sum);
}

static const struct kernel_param_ops sums = {.get = sum_of};
module_param_cb(runs, &sums, (void *)offsetof(struct account, runs), 0444);
module_param_cb(ns, &sums, (void *)offsetof(struct account, ns), 0444);
module_param_cb(passed, &sums, (void *)offsetof(struct account, passed), 0444);

static const struct row *row;
static struct tracepoint *place;

static void is_place(struct tracepoint *each, void *data)
{
	if (strcmp(each->name, row->tracepoint) == 0)
		place = each;
}

static int __init filter_init(void)
{
	for (row = rows; row < rows + ARRAY_SIZE(rows) && strcmp(row->name, filter) != 0;)
		row++;
	if (row == rows + ARRAY_SIZE(rows))
		return -EINVAL;
	for_each_kernel_tracepoint(is_place, NULL);
	if (!place)
		return -ENOENT;
	chosen = row->filter;
	return tracepoint_probe_register(place, row->probe, NULL);
}

static void __exit filter_exit(void)
{
	tracepoint_probe_unregister(place, row->probe, NULL);
	tracepoint_synchronize_unregister();
}

module_init(filter_init);
module_exit(filter_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("filters of a benchmark, compiled");
