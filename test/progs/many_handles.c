/* many_handles SECONDS [threads]: ten tracing handles work at the same time in this process, all in one thread or each
 * in its own thread. Each handle starts a child process that makes calls for SECONDS and then reports their number.
 * Each handle must have counted all of them. Its D program counts them in its own way: as a count, by result, as
 * records, in pairs, or as a histogram. */
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "consumer_support.h"

#define HANDLES 10

/* D programs, one for each handle. The results of each program add up to the number of calls of the handle's child. */
static const char *programs[] = {
    "syscall::getppid:entry /pid == $target/ { @ = count(); }",
    "syscall::getppid:return /pid == $target/ { @[arg1 > 0] = count(); }",
    "syscall::getppid:entry /pid == $target/ { @ = sum(1); }",
    "syscall::getppid:entry /pid == $target/ { self->t = timestamp; }"
    "syscall::getppid:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }",
    "syscall::getppid:entry /pid == $target/ { @[execname, pid] = count(); }",
    "syscall::getppid:entry /pid == $target && n++ % 2 == 0/ { @ = sum(1); } syscall::getppid:return /pid == $target && m++ % 2/ { @b = sum(1); }",
    "syscall::getppid:entry /pid == $target && k++ % 1000 == 0/ { trace((int64_t)k); } syscall::getppid:return /pid == $target/ { @ = count(); }",
    "syscall::getppid:entry /pid == $target/ { @ = lquantize(pid % 100, 0, 100, 10); }",
    "syscall::getppid:return /pid == $target/ { @[cpu] = count(); } tick-100ms { ticks++; }",
    "syscall:::entry /pid == $target && probefunc == \"getppid\"/ { @[probefunc] = count(); }",
};

struct worker {
	dtrace_hdl_t *handle;
	dtrace_proc_t *child;
	int64_t told, counted, records;
	uint64_t lost;
	FILE *answer; /* pipe from the child */
	int is_done, number;
	pthread_t thread;
};
static char *seconds;

/* The child makes some thousands of calls a second, with pauses, because more calls would overload the machine. */
static int be_child(long milliseconds, const char *answer)
{
	struct timespec begin, now, pause = {0, 2000000};
	long calls = 0, i;
	FILE *to = fopen(answer, "w");

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (i = 0; i < 50; i++, calls++)
			syscall(SYS_getppid);
		nanosleep(&pause, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < milliseconds);
	if (!to)
		return 1;
	fprintf(to, "%ld\n", calls);
	return fclose(to);
}

static int on_drop(const dtrace_dropdata_t *data, void *worker)
{
	((struct worker *)worker)->lost += data->dtdda_drops;
	return DTRACE_HANDLE_OK;
}

static int on_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *record, void *worker)
{
	(void)data;
	((struct worker *)worker)->records += record != NULL;
	return DTRACE_CONSUME_NEXT;
}

/* Adds the value of an aggregation to `sum`; for a histogram, adds the counts of all buckets. */
static int add(const dtrace_aggdata_t *data, void *sum)
{
	const dtrace_recdesc_t *value = &data->dtada_desc->dtagd_rec[data->dtada_desc->dtagd_nrecs - 1];
	const int64_t *words = (const int64_t *)(data->dtada_data + value->dtrd_offset);
	unsigned i = value->dtrd_action == DTRACEAGG_LQUANTIZE; /* skips the first word, which encodes the bounds */

	for (; i < value->dtrd_size / sizeof *words; i++)
		*(int64_t *)sum += words[i];
	return DTRACE_AGGWALK_NEXT;
}

static void begin(struct worker *worker, const char *self)
{
	static char name[HANDLES][64];
	char *words[] = {(char *)self, "child", seconds, name[worker->number], NULL};

	worker->answer = tmpfile();
	snprintf(name[worker->number], sizeof name[0], "/proc/%d/fd/%d", (int)getpid(), fileno(worker->answer));
	worker->handle = opened();
	worker->child = dtrace_proc_create(worker->handle, self, words);
	check(worker->handle, worker->child != NULL, "proc_create");
	dtrace_handle_drop(worker->handle, on_drop, worker);
	enable(worker->handle, programs[worker->number], 0, NULL);
	check(worker->handle, dtrace_go(worker->handle) == 0, "go");
}

static void turn(struct worker *worker)
{
	dtrace_workstatus_t status = dtrace_work(worker->handle, stdout, NULL, on_record, worker);

	check(worker->handle, status != DTRACE_WORKSTATUS_ERROR, "work");
	worker->is_done = status == DTRACE_WORKSTATUS_DONE;
}

static void end(struct worker *worker)
{
	long calls = -1;

	rewind(worker->answer);
	if (fscanf(worker->answer, "%ld", &calls) != 1)
		calls = -1;
	worker->told = calls;
	check(worker->handle, dtrace_aggregate_walk(worker->handle, add, &worker->counted) == 0, "walk");
	dtrace_close(worker->handle);
	fclose(worker->answer);
}

static const char *self_path;

static void *work(void *argument)
{
	struct worker *worker = argument;

	begin(worker, self_path);
	while (!worker->is_done) {
		dtrace_sleep(worker->handle);
		turn(worker);
	}
	end(worker);
	return NULL;
}

static void work_together(struct worker *workers)
{
	int i, left = HANDLES;

	for (i = 0; i < HANDLES; i++)
		begin(&workers[i], self_path);
	while (left) {
		for (left = i = 0; i < HANDLES; i++) {
			if (workers[i].is_done)
				continue;
			if (left == 0)
				dtrace_sleep(workers[i].handle); /* one call of dtrace_sleep() in each round is enough for all handles */
			turn(&workers[i]);
			left++;
		}
	}
	for (i = 0; i < HANDLES; i++)
		end(&workers[i]);
}

int main(int argc, char **argv)
{
	struct worker workers[HANDLES] = {0};
	int i, has_threads = argc > 2 && strcmp(argv[2], "threads") == 0, is_exact = 1;
	int64_t calls = 0;

	if (argc > 3 && strcmp(argv[1], "child") == 0)
		return be_child((long)(atof(argv[2]) * 1000), argv[3]);
	if (argc < 2)
		return 2;
	self_path = argv[0];
	seconds = argv[1];
	for (i = 0; i < HANDLES; i++) {
		workers[i].number = i;
		if (has_threads && pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			return 1;
	}
	if (has_threads)
		for (i = 0; i < HANDLES; i++)
			pthread_join(workers[i].thread, NULL);
	else
		work_together(workers);
	for (i = 0; i < HANDLES; i++) {
		calls += workers[i].told;
		is_exact &= workers[i].told > 0 && workers[i].counted == workers[i].told && workers[i].lost == 0;
		if (i == 6)
			is_exact &= workers[i].records == (workers[i].told + 999) / 1000;
		fprintf(stderr, "%2d: %lld calls, %lld counted, %llu lost, %lld records\n", i, (long long)workers[i].told,
		    (long long)workers[i].counted, (unsigned long long)workers[i].lost, (long long)workers[i].records);
	}
	fprintf(stderr, "%lld calls\n", (long long)calls);
	printf("%s\n", is_exact ? "exact" : "not exact");
	return !is_exact;
}
