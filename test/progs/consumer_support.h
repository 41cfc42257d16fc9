/* Functions that all consumers in test/progs share. */
#include <dtrace.h>
#include <stdlib.h>
#include <string.h>

static inline void check(dtrace_hdl_t *handle, int is_right, const char *what)
{
	if (is_right)
		return;
	printf("%s: %s\n", what, dtrace_errmsg(handle, dtrace_errno(handle)));
	exit(1);
}

static inline dtrace_hdl_t *opened(void)
{
	int error = 0;
	dtrace_hdl_t *handle = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!handle) {
		printf("open: %s\n", dtrace_errmsg(NULL, error));
		exit(1);
	}
	check(handle, dtrace_setopt(handle, "bufsize", "64k") == 0, "setopt");
	return handle;
}

static inline dtrace_proginfo_t enable(dtrace_hdl_t *handle, const char *text, int argc, char **argv)
{
	dtrace_proginfo_t info;
	dtrace_prog_t *program = dtrace_program_strcompile(handle, text, DTRACE_PROBESPEC_NAME, 0, argc, argv);

	check(handle, program != NULL, "compile");
	check(handle, dtrace_program_exec(handle, program, &info) == 0, "exec");
	return info;
}

static inline void run(dtrace_hdl_t *handle, FILE *stream, dtrace_consume_probe_f *probe, dtrace_consume_rec_f *record)
{
	dtrace_workstatus_t status;

	check(handle, dtrace_go(handle) == 0, "go");
	do {
		dtrace_sleep(handle);
		status = dtrace_work(handle, stream, probe, record, NULL);
	} while (status == DTRACE_WORKSTATUS_OKAY);
	check(handle, status == DTRACE_WORKSTATUS_DONE, "work");
}
