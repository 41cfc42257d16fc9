/* A typical DTrace consumer, as written for other systems: it uses only names of <dtrace.h>. */
#include <sched.h>
#include <unistd.h>

#include "consumer_support.h"

static int on_probe(const dtrace_probedata_t *data, void *argument)
{
	const dtrace_probedesc_t *probe = data->dtpda_pdesc;

	(void)argument;
	printf("%s:%s:%s:%s\n", probe->dtpd_provider, probe->dtpd_mod, probe->dtpd_func, probe->dtpd_name);
	return DTRACE_CONSUME_THIS;
}

/* Reads numbers and strings from the records itself, and lets the library print formatted records. */
static int on_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *argument)
{
	int64_t value;

	(void)argument;
	if (!record) {
		printf("end\n");
		return DTRACE_CONSUME_NEXT;
	}
	if (record->dtrd_action != DTRACEACT_DIFEXPR) {
		printf("library: ");
		return DTRACE_CONSUME_THIS;
	}
	if (record->dtrd_size == sizeof value) {
		memcpy(&value, data->dtpda_data, sizeof value);
		printf("number %lld\n", (long long)value);
	} else
		printf("%u bytes: %s\n", record->dtrd_size, data->dtpda_data);
	return DTRACE_CONSUME_NEXT;
}

static int records(void)
{
	dtrace_hdl_t *handle = opened();
	dtrace_proginfo_t info = enable(handle,
	    "BEGIN { trace((int64_t)-7); trace(\"text\"); printf(\"%d of %s\\n\", 42, probename); }", 0, NULL);

	printf("%u probe\n", info.dpi_matches);
	enable(handle, "BEGIN { exit(0); }", 0, NULL);
	enable(handle, "END { trace((int64_t)9); }", 0, NULL);
	run(handle, stdout, on_probe, on_record);
	printf("status %d\n", dtrace_status(handle));
	dtrace_close(handle);
	return 0;
}

static int on_text(const dtrace_bufdata_t *data, void *argument)
{
	(void)argument;
	printf("<%s>", data->dtbda_buffered);
	return DTRACE_HANDLE_OK;
}

static int buffered(void)
{
	dtrace_hdl_t *handle = opened();

	check(handle, dtrace_handle_buffered(handle, on_text, NULL) == 0, "handle_buffered");
	enable(handle, "BEGIN { printf(\"one\"); printf(\"%d\", 2); @[1] = count(); printa(\"%d %@d\", @); exit(0); }", 0, NULL);
	run(handle, NULL, NULL, NULL);
	printf("\n");
	dtrace_close(handle);
	return 0;
}

/* Appends the text to the string in the argument. Prints the record, aggregation or message that the text is part of.
   */
static int on_part(const dtrace_bufdata_t *data, void *argument)
{
	const dtrace_aggdata_t *entry = data->dtbda_aggdata;
	const dtrace_recdesc_t *record = data->dtbda_recdesc;

	strcat(argument, data->dtbda_buffered);
	printf("%s%s%s%s", data->dtbda_flags & DTRACE_BUFDATA_AGGKEY ? " key" : "",
	    data->dtbda_flags & DTRACE_BUFDATA_AGGVAL ? " value" : "", data->dtbda_flags & DTRACE_BUFDATA_AGGFORMAT ? " format" : "",
	    data->dtbda_flags & DTRACE_BUFDATA_AGGLAST ? " last" : "");
	if (!entry)
		printf(" of no entry\n");
	else if (!record)
		printf(" of @%s\n", entry->dtada_desc->dtagd_name);
	else if (record->dtrd_size != sizeof(int64_t))
		printf(" of @%s: %s\n", entry->dtada_desc->dtagd_name, entry->dtada_data + record->dtrd_offset);
	else
		printf(" of @%s: %lld\n", entry->dtada_desc->dtagd_name, *(long long *)(entry->dtada_data + record->dtrd_offset));
	return DTRACE_HANDLE_OK;
}

/* Prints aggregations while tracing is active and after its end. */
static int printed(void)
{
	dtrace_hdl_t *handle = opened();
	char parts[4096] = "", *whole = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&whole, &size);

	check(handle, dtrace_handle_buffered(handle, on_part, parts) == 0, "handle_buffered");
	enable(handle, "BEGIN { @s[\"b\", (int64_t)7] = sum(3); @s[\"a\", (int64_t)8] = sum(4); @n = count(); }", 0, NULL);
	check(handle, dtrace_go(handle) == 0, "go");
	check(handle, dtrace_aggregate_print(handle, NULL, NULL) == 0, "print");
	printf("after the end\n");
	check(handle, dtrace_stop(handle) == 0, "stop");
	check(handle, dtrace_work(handle, stdout, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE, "work");
	parts[0] = '\0';
	check(handle, dtrace_aggregate_print(handle, NULL, NULL) == 0, "print");
	check(handle, dtrace_aggregate_print(handle, stream, NULL) == 0, "print");
	fclose(stream);
	printf("%s\n", strcmp(parts, whole) == 0 ? "the stream has all parts" : whole);
	free(whole);
	dtrace_close(handle);
	return 0;
}

static int on_entry(const dtrace_aggdata_t *data, void *argument)
{
	const dtrace_aggdesc_t *what = data->dtada_desc;
	const dtrace_recdesc_t *value = &what->dtagd_rec[what->dtagd_nrecs - 1];
	const int64_t *words = (const int64_t *)(data->dtada_data + value->dtrd_offset);
	int i;

	(void)argument;
	printf("@%s", what->dtagd_name);
	for (i = 1; i < what->dtagd_nrecs - 1; i++) {
		const dtrace_recdesc_t *key = &what->dtagd_rec[i];
		const char *at = data->dtada_data + key->dtrd_offset;

		if (key->dtrd_size == sizeof(int64_t))
			printf(" [%lld]", (long long)*(const int64_t *)at);
		else
			printf(" [%s]", at);
	}
	switch (value->dtrd_action) {
	case DTRACEAGG_AVG:
		printf(" %lld values, sum %lld\n", (long long)words[0], (long long)words[1]);
		break;
	case DTRACEAGG_QUANTIZE:
		for (i = 0; i < DTRACE_QUANTIZE_NBUCKETS; i++)
			if (words[i])
				printf(" %lld: %lld", (long long)DTRACE_QUANTIZE_BUCKETVAL(i), (long long)words[i]);
		printf("\n");
		break;
	case DTRACEAGG_LQUANTIZE:
		printf(" from %d by %u, %u levels:", DTRACE_LQUANTIZE_BASE(words[0]), DTRACE_LQUANTIZE_STEP(words[0]),
		    DTRACE_LQUANTIZE_LEVELS(words[0]));
		for (i = 0; i < DTRACE_LQUANTIZE_LEVELS(words[0]) + 2; i++)
			printf(" %lld", (long long)words[i + 1]);
		printf("\n");
		break;
	default:
		printf(" %lld\n", (long long)words[0]);
	}
	return DTRACE_AGGWALK_NEXT;
}

static int aggregations(void)
{
	dtrace_hdl_t *handle = opened();
	struct {
		const char *name;
		dtrace_aggregate_walk_f *walk;
	} orders[] = {{"keys", dtrace_aggregate_walk_keysorted}, {"values, reversed", dtrace_aggregate_walk_valrevsorted}};
	unsigned i;

	enable(handle, "BEGIN { @s[\"b\", (int64_t)1] = sum(5); @s[\"a\", (int64_t)2] = sum(-2); @s[\"a\", (int64_t)1] = sum(3); exit(0); }",
	    0, NULL);
	run(handle, stdout, NULL, NULL);
	for (i = 0; i < sizeof orders / sizeof *orders; i++) {
		printf("%s\n", orders[i].name);
		check(handle, dtrace_aggregate_snap(handle) == 0, "snap");
		check(handle, orders[i].walk(handle, on_entry, NULL) == 0, "walk");
	}
	check(handle, dtrace_aggregate_print(handle, stdout, NULL) == 0, "print");
	dtrace_close(handle);
	return 0;
}

static int functions(void)
{
	dtrace_hdl_t *handle = opened();

	enable(handle,
	    "BEGIN { @a = avg(4); @a = avg(7); @b = max(-4); @b = max(-9); @c = min(6); @d = quantize(9); @d = quantize(-3);"
	    " @d = quantize(0); @e = lquantize(25, 10, 40, 10); @e = lquantize(99, 10, 40, 10); exit(0); }",
	    0, NULL);
	run(handle, stdout, NULL, NULL);
	check(handle, dtrace_aggregate_walk_keyvarsorted(handle, on_entry, NULL) == 0, "walk");
	dtrace_close(handle);
	return 0;
}

static int on_error(const dtrace_errdata_t *data, void *argument)
{
	++*(int *)argument;
	printf("fault %d at %llx in %s\n", data->dteda_fault, (unsigned long long)data->dteda_addr, data->dteda_pdesc->dtpd_name);
	return DTRACE_HANDLE_OK;
}

static void told(dtrace_hdl_t *handle, int status)
{
	printf("%d %s\n", status, dtrace_errmsg(handle, dtrace_errno(handle)));
}

static int errors(void)
{
	int error = 0, faults = 0;
	dtrace_optval_t value = 0;
	dtrace_hdl_t *handle = dtrace_open(DTRACE_VERSION + 9, 0, &error);

	printf("%s: %s\n", handle ? "opened" : "refused", dtrace_errmsg(NULL, error));
	handle = opened();
	printf("%s\n", dtrace_program_strcompile(handle, "BEGIN { trace(nothing); }", DTRACE_PROBESPEC_NAME, 0, 0, NULL)
	        ? "compiled" : dtrace_errmsg(handle, dtrace_errno(handle)));
	told(handle, dtrace_setopt(handle, "nosuch", "1"));
	told(handle, dtrace_setopt(handle, "bufsize", "much"));
	told(handle, dtrace_go(handle));
	dtrace_getopt(handle, "bufsize", &value);
	printf("bufsize %lld\n", (long long)value);
	dtrace_getopt(handle, "aggsize", &value);
	printf("%s\n", value == DTRACEOPT_UNSET ? "unset" : "set");
	dtrace_handle_err(handle, on_error, &faults);
	enable(handle, "BEGIN { trace(*(int *)8); } END { }", 0, NULL);
	enable(handle, "BEGIN { exit(0); }", 0, NULL);
	run(handle, stdout, NULL, NULL);
	printf("%d fault\n", faults);
	dtrace_close(handle);
	return 0;
}

#define HANDLES 10

static int add_count(const dtrace_aggdata_t *data, void *sum)
{
	const dtrace_aggdesc_t *what = data->dtada_desc;

	*(int64_t *)sum += *(const int64_t *)(data->dtada_data + what->dtagd_rec[what->dtagd_nrecs - 1].dtrd_offset);
	return DTRACE_AGGWALK_NEXT;
}

/* Ten handles count the same calls; each must count all of them. */
static int handles(long calls)
{
	dtrace_hdl_t *all[HANDLES];
	char pid[16], *arguments[] = {pid};
	int i;

	snprintf(pid, sizeof pid, "%d", (int)getpid());
	for (i = 0; i < HANDLES; i++) {
		all[i] = opened();
		enable(all[i], "syscall::sched_yield:entry /pid == $1/ { @ = count(); }", 1, arguments);
		check(all[i], dtrace_go(all[i]) == 0, "go");
	}
	for (; calls > 0; calls--)
		sched_yield();
	for (i = 0; i < HANDLES; i++) {
		int64_t sum = 0;

		check(all[i], dtrace_stop(all[i]) == 0, "stop");
		check(all[i], dtrace_work(all[i], stdout, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE, "work");
		check(all[i], dtrace_aggregate_walk(all[i], add_count, &sum) == 0, "walk");
		printf("%lld\n", (long long)sum);
		dtrace_close(all[i]);
	}
	return 0;
}

static int process(char **argv)
{
	dtrace_hdl_t *handle = opened();
	dtrace_proc_t *started = dtrace_proc_create(handle, argv[0], argv);

	check(handle, started != NULL, "proc_create");
	enable(handle, "syscall::getppid:entry /pid == $target/ { @calls = count(); }", 0, NULL);
	run(handle, stdout, NULL, NULL);
	check(handle, dtrace_aggregate_walk(handle, on_entry, NULL) == 0, "walk");
	dtrace_close(handle);
	return 0;
}

static int on_each(dtrace_hdl_t *handle, const dtrace_probedesc_t *probe, void *argument)
{
	(void)handle;
	(void)argument;
	printf("%s:%s:%s\n", probe->dtpd_provider, probe->dtpd_func, probe->dtpd_name);
	return 0;
}

static int probes(void)
{
	dtrace_hdl_t *handle = opened();
	dtrace_probedesc_t pattern;

	check(handle, dtrace_str2desc(handle, DTRACE_PROBESPEC_NONE, "syscall::getppid:", &pattern) == 0, "str2desc");
	check(handle, dtrace_probe_iter(handle, &pattern, on_each, NULL) == 0, "iter");
	check(handle, dtrace_str2desc(handle, DTRACE_PROBESPEC_NAME, "nosuch:::", &pattern) == 0, "str2desc");
	told(handle, dtrace_probe_iter(handle, &pattern, on_each, NULL));
	dtrace_close(handle);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IONBF, 0);
	if (strcmp(what, "records") == 0)
		return records();
	if (strcmp(what, "buffered") == 0)
		return buffered();
	if (strcmp(what, "printed") == 0)
		return printed();
	if (strcmp(what, "aggregations") == 0)
		return aggregations();
	if (strcmp(what, "functions") == 0)
		return functions();
	if (strcmp(what, "errors") == 0)
		return errors();
	if (strcmp(what, "handles") == 0 && argc > 2)
		return handles(atol(argv[2]));
	if (strcmp(what, "process") == 0 && argc > 2)
		return process(argv + 2);
	if (strcmp(what, "probes") == 0)
		return probes();
	fprintf(stderr, "usage: consumer records|buffered|printed|aggregations|functions|errors|handles CALLS|process COMMAND...|probes\n");
	return 2;
}
