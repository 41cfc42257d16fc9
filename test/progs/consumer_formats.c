/* A consumer that prints records with formats of its own, and one that walks several aggregations together. */
#include "consumer_support.h"

static void told(dtrace_hdl_t *handle, int status)
{
	printf("%d %s\n", status, dtrace_errmsg(handle, dtrace_errno(handle)));
}

static void texts(dtrace_hdl_t *handle)
{
	char text[64], little[6];
	void *format = dtrace_printf_create(handle, "%-8d|%?x|%.3s%%\n");

	check(handle, format != NULL, "printf_create");
	printf("%zu", dtrace_printf_format(handle, format, little, sizeof little));
	dtrace_printf_format(handle, format, text, sizeof text);
	printf(" %s %s", little, text);
	told(handle, dtrace_printf_create(handle, "%y") ? 0 : -1);
	told(handle, dtrace_printf_create(handle, "%@d") ? 0 : -1);
	check(handle, dtrace_printa_create(handle, "%@d") != NULL, "printa_create");
}

/* Formats each record with one of the consumer's own formats. */
static int on_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *argument)
{
	void **formats = argument;
	dtrace_hdl_t *handle = data->dtpda_handle;

	if (!record)
		return DTRACE_CONSUME_NEXT;
	if (record->dtrd_action == DTRACEACT_PRINTA)
		check(handle, dtrace_fprinta(handle, stdout, formats[2], data, record, 1, data->dtpda_data, record->dtrd_size) == 1, "fprinta");
	else
		check(handle, dtrace_fprintf(handle, stdout, formats[record->dtrd_size != sizeof(int64_t)], data, record, 1,
		    data->dtpda_data, record->dtrd_size) == 1, "fprintf");
	return DTRACE_CONSUME_NEXT;
}

static void records(void)
{
	dtrace_hdl_t *handle = opened();
	void *formats[] = {dtrace_printf_create(handle, "number %05d\n"), dtrace_printf_create(handle, "text %.4s.\n"),
	    dtrace_printa_create(handle, "%s has %@d and %@d\n")};
	dtrace_workstatus_t status;

	enable(handle, "BEGIN { trace((int64_t)42); trace(\"texts\"); @a[\"one\"] = sum(4); @b[\"one\"] = max(9); @a[\"two\"] = sum(3);"
	    " printa(\"%s\", @a, @b); exit(0); }", 0, NULL);
	check(handle, dtrace_go(handle) == 0, "go");
	do {
		dtrace_sleep(handle);
		status = dtrace_work(handle, stdout, NULL, on_record, formats);
	} while (status == DTRACE_WORKSTATUS_OKAY);
	check(handle, status == DTRACE_WORKSTATUS_DONE, "work");
	told(handle, dtrace_fprintf(handle, stdout, formats[0], NULL, NULL, 0, NULL, 0));
	dtrace_close(handle);
}

static int64_t value_of(const dtrace_aggdata_t *data)
{
	return *(const int64_t *)(data->dtada_data + data->dtada_desc->dtagd_rec[data->dtada_desc->dtagd_nrecs - 1].dtrd_offset);
}

static int on_joined(const dtrace_aggdata_t **data, const int number, void *argument)
{
	int i;

	(void)argument;
	printf("%s:", data[0]->dtada_data + data[0]->dtada_desc->dtagd_rec[1].dtrd_offset);
	for (i = 1; i < number; i++)
		printf(" %s %lld", data[i]->dtada_desc->dtagd_name, (long long)value_of(data[i]));
	printf("\n");
	return DTRACE_AGGWALK_NEXT;
}

static int find_variables(const dtrace_aggdata_t *data, void *argument)
{
	dtrace_aggvarid_t *variables = argument;

	variables[data->dtada_desc->dtagd_name[0] - 'a'] = data->dtada_desc->dtagd_varid;
	return DTRACE_AGGWALK_NEXT;
}

static void joined(void)
{
	dtrace_hdl_t *handle = opened();
	dtrace_aggvarid_t variables[4] = {0}, none = 99;

	enable(handle, "BEGIN { @a[\"x\"] = count(); @a[\"x\"] = count(); @a[\"y\"] = count(); @b[\"y\"] = sum(7); @b[\"z\"] = sum(8);"
	    " @c[\"x\"] = min(5); @d[1] = count(); exit(0); }", 0, NULL);
	run(handle, stdout, NULL, NULL);
	check(handle, dtrace_aggregate_walk(handle, find_variables, variables) == 0, "walk");
	check(handle, dtrace_aggregate_walk_joined(handle, variables, 2, on_joined, NULL) == 0, "walk_joined");
	check(handle, dtrace_aggregate_walk_joined(handle, variables + 1, 2, on_joined, NULL) == 0, "walk_joined");
	told(handle, dtrace_aggregate_walk_joined(handle, variables + 2, 2, on_joined, NULL));
	told(handle, dtrace_aggregate_walk_joined(handle, &none, 1, on_joined, NULL));
	dtrace_close(handle);
}

static int on_histogram(const dtrace_aggdata_t *data, void *argument)
{
	dtrace_bucket_t buckets[200];
	int i, number = dtrace_aggregate_buckets(data->dtada_handle, data, buckets, 200);

	(void)argument;
	printf("%s of %d:", data->dtada_desc->dtagd_name, number);
	for (i = 0; i < number; i++) {
		if (!buckets[i].dtb_count)
			continue;
		if (buckets[i].dtb_flags & DTRACE_BUCKET_NOLOW)
			printf(" up to %lld", (long long)buckets[i].dtb_high);
		else if (buckets[i].dtb_flags & DTRACE_BUCKET_NOHIGH)
			printf(" from %lld", (long long)buckets[i].dtb_low);
		else
			printf(" %lld to %lld", (long long)buckets[i].dtb_low, (long long)buckets[i].dtb_high);
		printf(": %lld", (long long)buckets[i].dtb_count);
	}
	printf("\n");
	return DTRACE_AGGWALK_NEXT;
}

static void histograms(void)
{
	dtrace_hdl_t *handle = opened();

	enable(handle, "BEGIN { @a = quantize(9); @a = quantize(-3); @b = lquantize(25, 10, 40, 10); @b = lquantize(99, 10, 40, 10);"
	    " @c = llquantize(1500, 10, 0, 3, 10); @c = llquantize(20000, 10, 0, 3, 10); @d = hquantize(100, 0); @e = count(); exit(0); }",
	    0, NULL);
	run(handle, stdout, NULL, NULL);
	check(handle, dtrace_aggregate_walk_keyvarsorted(handle, on_histogram, NULL) == 0, "walk");
	told(handle, -1);
	dtrace_close(handle);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	if (argc > 1 && strcmp(argv[1], "joined") == 0) {
		joined();
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "histograms") == 0) {
		histograms();
		return 0;
	}
	dtrace_hdl_t *handle = opened();
	texts(handle);
	dtrace_close(handle);
	records();
	return 0;
}
