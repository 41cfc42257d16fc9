/* A consumer that looks up symbols, types and objects. */
#include "consumer_support.h"

static void told(dtrace_hdl_t *handle, int status)
{
	printf("%d %s\n", status, dtrace_errmsg(handle, dtrace_errno(handle)));
}

/* Looks up a symbol by name, and then looks up the address of the result. */
static void symbols(dtrace_hdl_t *handle)
{
	GElf_Sym by_name, by_address;
	dtrace_syminfo_t named, addressed;

	check(handle, dtrace_lookup_by_name(handle, "vmlinux", "vfs_read", &by_name, &named) == 0, "lookup_by_name");
	check(handle, dtrace_lookup_by_addr(handle, by_name.st_value + 1, &by_address, &addressed) == 0, "lookup_by_addr");
	printf("%s %s, %s %s, %s, %s\n", named.dts_object, named.dts_name, addressed.dts_object, addressed.dts_name,
	    by_name.st_value == by_address.st_value ? "the same" : "another",
	    ELF64_ST_TYPE(by_name.st_info) == STT_FUNC && by_name.st_size > 0 ? "a function" : "no function");
	told(handle, dtrace_lookup_by_name(handle, DTRACE_OBJ_KMODS, "no_such_symbol", &by_name, NULL));
	told(handle, dtrace_lookup_by_addr(handle, 8, &by_address, NULL));
}

static void types(dtrace_hdl_t *handle)
{
	const char *names[] = {"struct task_struct", "pid_t", "struct list_head *", "int", "union sigval", "struct no_such"};
	dtrace_typeinfo_t first, again;
	unsigned i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		if (dtrace_lookup_by_type(handle, DTRACE_OBJ_EVERY, names[i], &first) != 0) {
			told(handle, -1);
			continue;
		}
		check(handle, dtrace_lookup_by_type(handle, first.dtt_object, names[i], &again) == 0 || !strcmp(first.dtt_object, "D"),
		    "lookup_by_type");
		printf("%s: %s", first.dtt_object, first.dtt_name);
		if (i == 0) /* the size is not printed, because it depends on the kernel */
			printf(", %s\n", first.dtt_size > 1000 && first.dtt_type == again.dtt_type ? "the same" : "another");
		else
			printf(", %d bytes\n", (int)first.dtt_size);
	}
}

static int on_object(dtrace_hdl_t *handle, const dtrace_objinfo_t *object, void *number)
{
	dtrace_objinfo_t asked;

	check(handle, dtrace_object_info(handle, object->dto_name, &asked) == 0, "object_info");
	check(handle, asked.dto_id == object->dto_id && (object->dto_flags & DTRACE_OBJ_F_KERNEL), "object_info");
	if (object->dto_flags & DTRACE_OBJ_F_PRIMARY)
		printf("%s, %s\n", object->dto_name, object->dto_text_va && object->dto_text_size ? "somewhere" : "nowhere");
	++*(int *)number;
	return 0;
}

static int on_first(dtrace_hdl_t *handle, const dtrace_objinfo_t *object, void *number)
{
	(void)handle;
	(void)object;
	++*(int *)number;
	return 7;
}

static void objects(dtrace_hdl_t *handle)
{
	int number = 0, first = 0, modules = 0, byte;
	FILE *loaded = fopen("/proc/modules", "r");
	dtrace_objinfo_t none;

	while (loaded && (byte = getc(loaded)) != EOF)
		modules += byte == '\n';
	check(handle, dtrace_object_iter(handle, on_object, &number) == 0, "object_iter");
	printf("%s\n", number == modules + 1 ? "each once" : "other modules");
	printf("%d", dtrace_object_iter(handle, on_first, &first));
	printf(" after %d\n", first);
	told(handle, dtrace_object_info(handle, "no_such", &none));
}

int main(void)
{
	dtrace_hdl_t *handle = opened();

	setvbuf(stdout, NULL, _IONBF, 0);
	symbols(handle);
	types(handle);
	objects(handle);
	dtrace_close(handle);
	return 0;
}
