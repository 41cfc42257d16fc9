/* Consumers like those written for DTrace on other systems. They depend on the layout of the structures in dtrace.h,
 * and call functions in the order in which bindings for other languages call them. */
#include <stddef.h>
#include <unistd.h>

#include "consumer_support.h"

/* Numbers that bindings for languages other than C contain as literals. They must not change. */
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
AT(dtrace_recdesc_t, dtrd_size, 4);
AT(dtrace_recdesc_t, dtrd_offset, 8);
AT(dtrace_recdesc_t, dtrd_alignment, 12);
AT(dtrace_recdesc_t, dtrd_arg, 16);
_Static_assert(sizeof(dtrace_recdesc_t) == 32, "dtrace_recdesc_t");
AT(dtrace_aggdesc_t, dtagd_varid, 8);
AT(dtrace_aggdesc_t, dtagd_flags, 16);
AT(dtrace_aggdesc_t, dtagd_id, 20);
AT(dtrace_aggdesc_t, dtagd_epid, 24);
AT(dtrace_aggdesc_t, dtagd_size, 28);
AT(dtrace_aggdesc_t, dtagd_nrecs, 32);
AT(dtrace_aggdesc_t, dtagd_rec, 40);
AT(dtrace_aggdata_t, dtada_desc, 8);
AT(dtrace_aggdata_t, dtada_edesc, 16);
AT(dtrace_aggdata_t, dtada_pdesc, 24);
AT(dtrace_aggdata_t, dtada_data, 32);
AT(dtrace_aggdata_t, dtada_normal, 40);
AT(dtrace_aggdata_t, dtada_size, 48);
AT(dtrace_aggdata_t, dtada_delta, 56);
AT(dtrace_aggdata_t, dtada_percpu, 64);
AT(dtrace_aggdata_t, dtada_percpu_delta, 72);
AT(dtrace_aggdata_t, dtada_total, 80);
AT(dtrace_aggdata_t, dtada_minbin, 88);
AT(dtrace_aggdata_t, dtada_maxbin, 90);
AT(dtrace_aggdata_t, dtada_flags, 92);
_Static_assert(sizeof(dtrace_aggdata_t) == 96, "dtrace_aggdata_t");
AT(dtrace_proginfo_t, dpi_stmtattr, 3);
AT(dtrace_proginfo_t, dpi_aggregates, 8);
_Static_assert(sizeof(dtrace_proginfo_t) == 24, "dtrace_proginfo_t");
AT(dtrace_actdesc_t, dtad_kind, 16);
AT(dtrace_actdesc_t, dtad_arg, 24);
_Static_assert(sizeof(dtrace_actdesc_t) == 48, "dtrace_actdesc_t");
AT(dtrace_ecbdesc_t, dted_probe, 24);
AT(dtrace_stmtdesc_t, dtsd_action_last, 16);
AT(dtrace_stmtdesc_t, dtsd_callback, 40);
AT(dtrace_stmtdesc_t, dtsd_descattr, 56);
AT(dtrace_stmtdesc_t, dtsd_stmtattr, 59);
AT(dtrace_bufdata_t, dtbda_aggdata, 32);
AT(dtrace_bufdata_t, dtbda_flags, 40);
_Static_assert((DTRACE_BUFDATA_AGGKEY | DTRACE_BUFDATA_AGGVAL | DTRACE_BUFDATA_AGGFORMAT | DTRACE_BUFDATA_AGGLAST) == 15, "flags");

static const dtrace_recdesc_t *value_record(const dtrace_aggdata_t *data)
{
	return &data->dtada_desc->dtagd_rec[data->dtada_desc->dtagd_nrecs - 1];
}

static int show(const dtrace_aggdata_t *data, void *argument)
{
	const dtrace_aggdesc_t *what = data->dtada_desc;
	const dtrace_recdesc_t *value = value_record(data);

	(void)argument;
	printf("@%s of %s:%s, clause %u", what->dtagd_name, data->dtada_pdesc->dtpd_func, data->dtada_pdesc->dtpd_name,
	    data->dtada_edesc->dtepd_epid);
	if (what->dtagd_nrecs == 3)
		printf(", key %s", data->dtada_data + what->dtagd_rec[1].dtrd_offset);
	if (value->dtrd_action == DTRACEAGG_QUANTIZE)
		printf(", buckets %d to %d", data->dtada_minbin, data->dtada_maxbin);
	else
		printf(", value %lld of %lld", (long long)*(int64_t *)(data->dtada_data + value->dtrd_offset),
		    (long long)data->dtada_total);
	printf("%s%s\n", data->dtada_flags & DTRACE_A_HASNEGATIVES ? ", negative" : "",
	    data->dtada_flags & DTRACE_A_HASPOSITIVES ? ", positive" : "");
	return DTRACE_AGGWALK_REMOVE;
}

/* Like node-libdtrace: each call takes a snapshot of the aggregations, and removes each entry when it reads it. */
static int node(void)
{
	dtrace_hdl_t *handle = opened();

	enable(handle,
	    "BEGIN { @s[\"a\"] = sum(3); @s[\"a\"] = sum(4); @s[\"b\"] = sum(-5); @q = quantize(1); @q = quantize(8); }", 0, NULL);
	check(handle, dtrace_go(handle) == 0, "go");
	check(handle, dtrace_status(handle) == DTRACE_STATUS_OKAY, "status");
	check(handle, dtrace_consume(handle, NULL, NULL, NULL, NULL) == 0, "consume");
	check(handle, dtrace_aggregate_snap(handle) == 0, "snap");
	check(handle, dtrace_aggregate_walk_keyvarsorted(handle, show, NULL) == 0, "walk");
	check(handle, dtrace_aggregate_walk(handle, show, NULL) == 0, "second walk");
	dtrace_close(handle);
	return 0;
}

static int statement(dtrace_hdl_t *handle, dtrace_prog_t *program, dtrace_stmtdesc_t *what, void *last)
{
	const dtrace_probedesc_t *probe = &what->dtsd_ecbdesc->dted_probe;

	(void)handle;
	(void)program;
	if (*(dtrace_ecbdesc_t **)last != what->dtsd_ecbdesc)
		printf("%s:%s:%s:%s\n", probe->dtpd_provider, probe->dtpd_mod, probe->dtpd_func, probe->dtpd_name);
	*(dtrace_ecbdesc_t **)last = what->dtsd_ecbdesc;
	printf("  %#x, %u keys\n", what->dtsd_action->dtad_kind, what->dtsd_action->dtad_ntuple);
	return 0;
}

static int on_buffered(const dtrace_bufdata_t *data, void *argument)
{
	(void)argument;
	if (!(data->dtbda_flags & (DTRACE_BUFDATA_AGGKEY | DTRACE_BUFDATA_AGGVAL)))
		printf("text <%s>\n", data->dtbda_buffered);
	return DTRACE_HANDLE_OK;
}

/* Like ruby-dtrace: visits the statements of a program, then calls dtrace_work() in a loop. dtrace_work() takes the
   snapshots of aggregations. */
static int ruby(void)
{
	dtrace_hdl_t *handle = opened();
	dtrace_ecbdesc_t *last = NULL;
	dtrace_proginfo_t info;
	dtrace_prog_t *program = dtrace_program_strcompile(handle,
	    "BEGIN { @r[\"k\", 1] = count(); printf(\"%d\", 7); exit(0); } syscall::getpgid:entry { @r[\"k\", 2] = count(); }",
	    DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	check(handle, program != NULL, "compile");
	check(handle, dtrace_stmt_iter(handle, program, statement, &last) == 0, "stmt_iter");
	dtrace_program_info(handle, program, &info);
	printf("%u aggregation, %u clauses, %u probes, descriptions %d, clauses %d\n", info.dpi_aggregates, info.dpi_recgens,
	    info.dpi_matches, info.dpi_descattr.dtat_name == DTRACE_STABILITY_PRIVATE,
	    info.dpi_stmtattr.dtat_class == DTRACE_CLASS_COMMON);
	check(handle, dtrace_handle_buffered(handle, on_buffered, NULL) == 0, "handle_buffered");
	check(handle, dtrace_program_exec(handle, program, NULL) == 0, "exec");
	run(handle, NULL, NULL, NULL);
	dtrace_close(handle);
	return 0;
}

static int count(const dtrace_aggdata_t *data, void *argument)
{
	(void)argument;
	printf("%lld of %s in %s\n", (long long)*(int64_t *)(data->dtada_data + value_record(data)->dtrd_offset),
	    data->dtada_pdesc->dtpd_func, data->dtada_desc->dtagd_name);
	return DTRACE_AGGWALK_NEXT;
}

/* Checks that snapshots of aggregations are taken every `aggrate` and when tracing stops. */
static int rate(void)
{
	dtrace_hdl_t *handle = opened();
	int i;

	check(handle, dtrace_setopt(handle, "aggrate", "1hour") == 0 || dtrace_setopt(handle, "aggrate", "3600s") == 0, "aggrate");
	enable(handle, "syscall::getpgid:entry /pid == $pid/ { @calls = count(); }", 0, NULL);
	check(handle, dtrace_go(handle) == 0, "go");
	for (i = 0; i < 3; i++)
		(void)getpgid(0);
	check(handle, dtrace_work(handle, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY, "work");
	dtrace_aggregate_walk(handle, count, NULL);
	for (i = 0; i < 2; i++)
		(void)getpgid(0);
	check(handle, dtrace_work(handle, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY, "work");
	dtrace_aggregate_walk(handle, count, NULL);
	check(handle, dtrace_stop(handle) == 0, "stop");
	dtrace_aggregate_walk(handle, count, NULL);
	dtrace_close(handle);
	return 0;
}

static int take(const dtrace_aggdata_t *data, void *answer)
{
	printf(" %lld", (long long)*(int64_t *)(data->dtada_data + value_record(data)->dtrd_offset));
	return *(int *)answer;
}

/* Checks that an aggregation key that a walk removed or cleared starts at zero again, and that counts after the
   snapshot are not lost. */
static int deltas(void)
{
	int answers[] = {DTRACE_AGGWALK_REMOVE, DTRACE_AGGWALK_CLEAR};
	int i, way;

	for (way = 0; way < 2; way++) {
		dtrace_hdl_t *handle = opened();

		enable(handle, "syscall::getpgid:entry /pid == $pid/ { @ = count(); }", 0, NULL);
		check(handle, dtrace_go(handle) == 0, "go");
		for (i = 0; i < 3; i++)
			(void)getpgid(0);
		check(handle, dtrace_aggregate_snap(handle) == 0, "snap");
		(void)getpgid(0);
		dtrace_aggregate_walk_sorted(handle, take, &answers[way]);
		check(handle, dtrace_aggregate_snap(handle) == 0, "snap");
		dtrace_aggregate_walk_sorted(handle, take, &answers[way]);
		check(handle, dtrace_aggregate_snap(handle) == 0, "snap");
		dtrace_aggregate_walk_sorted(handle, take, &answers[way]);
		printf("\n");
		dtrace_close(handle);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "node") == 0)
		return node();
	if (argc == 2 && strcmp(argv[1], "ruby") == 0)
		return ruby();
	if (argc == 2 && strcmp(argv[1], "deltas") == 0)
		return deltas();
	return argc == 2 && strcmp(argv[1], "rate") == 0 ? rate() : 2;
}
