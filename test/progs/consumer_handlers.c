/* A consumer that registers handlers: for options that D programs set by setopt(), and for the end of processes. */
#include <sys/wait.h>
#include <unistd.h>

#include "consumer_support.h"

static int on_option(const dtrace_setoptdata_t *data, void *argument)
{
	(void)argument;
	printf("%s in %s: ", data->dtsda_option, data->dtsda_probe->dtpda_pdesc->dtpd_name);
	if (data->dtsda_oldval == DTRACEOPT_UNSET)
		printf("unset");
	else
		printf("%lld", (long long)data->dtsda_oldval);
	printf(", now %lld\n", (long long)data->dtsda_newval);
	return DTRACE_HANDLE_OK;
}

static int refuse(const dtrace_setoptdata_t *data, void *argument)
{
	(void)data;
	(void)argument;
	return DTRACE_HANDLE_ABORT;
}

static void setopt(void)
{
	dtrace_hdl_t *handle = opened();
	dtrace_optval_t value = 0;

	check(handle, dtrace_setopt(handle, "switchrate", "10ms") == 0, "setopt");
	dtrace_handle_setopt(handle, on_option, NULL);
	enable(handle, "BEGIN { setopt(\"quiet\"); setopt(\"switchrate\", \"20ms\"); setopt(\"aggsortkey\"); exit(0); }", 0, NULL);
	run(handle, stdout, NULL, NULL);
	dtrace_getopt(handle, "switchrate", &value);
	printf("%lld\n", (long long)value);
	dtrace_close(handle);
}

static void setopt_aborted(void)
{
	dtrace_hdl_t *handle = opened();
	dtrace_workstatus_t status;

	dtrace_handle_setopt(handle, refuse, NULL);
	enable(handle, "BEGIN { setopt(\"quiet\"); }", 0, NULL);
	check(handle, dtrace_go(handle) == 0, "go");
	do {
		dtrace_sleep(handle);
		status = dtrace_work(handle, stdout, NULL, NULL, NULL);
	} while (status == DTRACE_WORKSTATUS_OKAY);
	printf("%d %s\n", status, dtrace_errmsg(handle, dtrace_errno(handle)));
	dtrace_close(handle);
}

struct seen {
	dtrace_hdl_t *handle;
	dtrace_proc_t *of[3];
	char how[3][64];
	int ends;
};

static int on_process(struct ps_prochandle *process, const char *text, void *argument)
{
	struct seen *seen = argument;
	int i, status = 0;

	for (i = 0; i < 3; i++) {
		if (seen->of[i] != process)
			continue;
		seen->ends++;
		if (dtrace_proc_status(seen->handle, seen->of[i], &status) != 0) {
			snprintf(seen->how[i], sizeof seen->how[i], "ended, and was not started here");
			continue;
		}
		snprintf(seen->how[i], sizeof seen->how[i], "%s %s %d", text ? text : "ended:", WIFSIGNALED(status) ? "signal" : "status",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	}
	return DTRACE_HANDLE_OK;
}

/* Prints how each process has ended. */
static void processes(void)
{
	int status = 0;
	pid_t other = fork(); /* forks here, before the library starts threads */
	char *exits[] = {"sh", "-c", "exit 3", NULL}, *dies[] = {"sh", "-c", "kill -9 $$", NULL};
	struct seen seen = {NULL, {NULL, NULL, NULL}, {"", "", ""}, 0};

	if (other == 0) {
		usleep(100000);
		_exit(0);
	}
	seen.handle = opened();

	seen.of[0] = dtrace_proc_create(seen.handle, exits[0], exits);
	check(seen.handle, seen.of[0] != NULL, "proc_create");
	seen.of[1] = dtrace_proc_create(seen.handle, dies[0], dies);
	check(seen.handle, seen.of[1] != NULL, "proc_create");
	seen.of[2] = dtrace_proc_grab(seen.handle, other, 0);
	check(seen.handle, seen.of[2] != NULL, "proc_grab");
	printf("%d before\n", dtrace_proc_status(seen.handle, seen.of[0], &status));
	dtrace_handle_proc(seen.handle, on_process, &seen);
	enable(seen.handle, "BEGIN { }", 0, NULL);
	run(seen.handle, stdout, NULL, NULL);
	printf("process 0 %s\nprocess 1 %s\nprocess 2 %s\n%d ends\n", seen.how[0], seen.how[1], seen.how[2], seen.ends);
	dtrace_close(seen.handle);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IONBF, 0);
	if (strcmp(what, "setopt") == 0) {
		setopt();
		setopt_aborted();
	} else
		processes();
	return 0;
}
