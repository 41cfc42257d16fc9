/* fds[] on locked-down kernels: texts and numbers of an open file of the current process. The verifier follows no
 * pointer to an array of pointers. So a table of descriptors is readable only if it has never grown: then it is part of
 * files_struct. The verifier follows no pointers to characters either. So only names in the dentry itself are readable,
 * and no path of a mount. A path begins with the id of the file system instead: "<sda1>/var/log/syslog".
 * dtrace-variables(7), fds. */
#include "bpf-runtime/open_files.h"
#include "bpf-runtime/runtime.h"

#define ARRAY 64 /* number of descriptors in files_struct: NR_OPEN_DEFAULT */
#define MNT_INTERNAL 0x4000

/* characters of a text as a number, the first character in the lowest byte */
#define WORD(a, b, c, d, e, f, g, h)                                                                  \
	((dt_u64)(a) | (dt_u64)(b) << 8 | (dt_u64)(c) << 16 | (dt_u64)(d) << 24 | (dt_u64)(e) << 32 | \
	 (dt_u64)(f) << 40 | (dt_u64)(g) << 48 | (dt_u64)(h) << 56)

#define MEMBER(type, object, offset) (*(const volatile type *)((object) + (offset)))

struct room {
	dt_u8 text[DT_FILE_TEXT + 64];
	struct {
		dt_u64 words[DT_FILE_SHORT / 8];
		dt_u64 length;
	} names[DT_FILE_DEPTH];
};
_Static_assert(sizeof(struct room) == DT_FILE_ROOM, "open_files.h has the size");

struct walk {
	dt_u64 dentry;
	struct room *room;
	const volatile struct dt_open_files *o;
	dt_u64 count; /* number of names */
	dt_u64 at;    /* size of the text */
};

enum state { NONE, FOUND, HIDDEN };

/* Returns NONE if the descriptor is beyond the table of open files, HIDDEN if the table cannot be read, else FOUND. */
DT_INLINE dt_u64 state_of(dt_u64 files, dt_u64 descriptor, const volatile struct dt_open_files *o)
{
	dt_u64 table = MEMBER(dt_u64, files, o->table), most = MEMBER(dt_u32, table, o->most);

	if (descriptor >= most)
		return NONE;
	if (most > ARRAY || descriptor >= ARRAY)
		return HIDDEN;
	return FOUND;
}

/* Returns the file of a descriptor below ARRAY. The verifier permits only constant indices in an array of pointers. */
DT_INLINE dt_u64 file_of(dt_u64 files, dt_u64 descriptor, const volatile struct dt_open_files *o)
{
	dt_u64 array = files + o->array, file = MEMBER(dt_u64, array, 0);

#pragma unroll
	for (dt_u64 i = 1; i < ARRAY; i++)
		if (descriptor == i)
			file = MEMBER(dt_u64, array, i * 8);
	return file;
}

/* Writes a text of at most 16 characters. */
DT_INLINE void put(struct room *room, dt_u64 first, dt_u64 second)
{
	((dt_u64 *)room->text)[0] = first;
	((dt_u64 *)room->text)[1] = second;
	((dt_u64 *)room->text)[2] = 0;
}

/* Copies a name of a dentry. A long name is outside of the dentry and cannot be read. */
DT_INLINE void copy_name(dt_u64 *words, dt_u64 *size, dt_u64 dentry, const volatile struct dt_open_files *o)
{
	dt_u64 length = MEMBER(dt_u32, dentry, o->length), name = dentry + o->name;

#pragma unroll
	for (int i = 0; i < DT_FILE_SHORT / 8; i++)
		words[i] = MEMBER(dt_u64, name, i * 8);
	if (length >= DT_FILE_SHORT) {
		words[0] = WORD('<', 'l', 'o', 'n', 'g', ' ', 'n', 'a');
		words[1] = WORD('m', 'e', '>', 0, 0, 0, 0, 0);
		length = 11;
	}
	*size = length;
}

static long ascend(dt_u32 index, struct walk *w)
{
	dt_u64 i = index, dentry = w->dentry, parent = MEMBER(dt_u64, dentry, w->o->parent);

	DT_OPAQUE(i);
	if (i >= DT_FILE_DEPTH || parent == dentry || !parent)
		return 1;
	copy_name(w->room->names[i].words, &w->room->names[i].length, dentry, w->o);
	w->count = i + 1;
	w->dentry = parent;
	return 0;
}

static long append(dt_u32 index, struct walk *w)
{
	dt_u64 i = w->count - 1 - index, at = w->at;
	const dt_u8 *name;

	DT_OPAQUE(i);
	DT_OPAQUE(at);
	if (i >= DT_FILE_DEPTH || at >= DT_FILE_TEXT - 1)
		return 1;
	name = (const dt_u8 *)w->room->names[i].words;
	w->room->text[at] = '/';
#pragma unroll
	for (int k = 0; k < DT_FILE_SHORT; k++)
		w->room->text[at + 1 + k] = name[k];
	w->at = at + 1 + (w->room->names[i].length & (DT_FILE_SHORT - 1));
	return 0;
}

/* Writes the id of a file system in angle brackets; for a disk, the id is the disk's name. For devtmpfs and devpts, the
 * file systems of device files, writes their usual mount points instead. Returns the size. */
DT_INLINE dt_u64 put_id(struct room *room, dt_u64 system, const volatile struct dt_open_files *o)
{
	dt_u64 words[DT_FILE_SHORT / 8], name = system + o->id, size = 0, goes_on = 1;

#pragma unroll
	for (int i = 0; i < DT_FILE_SHORT / 8; i++)
		words[i] = MEMBER(dt_u64, name, i * 8);
	room->text[0] = '<';
#pragma unroll
	for (int i = 0; i < DT_FILE_SHORT; i++) {
		dt_u64 character = words[i / 8] >> i % 8 * 8 & 0xff;

		room->text[i + 1] = character;
		DT_OPAQUE(character); /* no comparison here, because it would double the verifier's states */
		goes_on &= (0 - character) >> 63;
		size += goes_on;
	}
	size = DT_UNKNOWN(size); /* reduces the verifier's states for all sizes to one */
	size &= DT_FILE_SHORT - 1;
	room->text[size + 1] = '>';
	room->text[size + 2] = 0;
	size += 2;
	if (words[0] == WORD('d', 'e', 'v', 't', 'm', 'p', 'f', 's')) {
		put(room, WORD('/', 'd', 'e', 'v', 0, 0, 0, 0), 0);
		size = 4;
	}
	if (words[0] == WORD('d', 'e', 'v', 'p', 't', 's', 0, 0)) {
		put(room, WORD('/', 'd', 'e', 'v', '/', 'p', 't', 's'), 0);
		size = 8;
	}
	return DT_UNKNOWN(size);
}

/* Writes the type of a file system. For a file system without a device, its id is the type. */
DT_INLINE void put_system(struct room *room, dt_u64 system, const volatile struct dt_open_files *o)
{
	dt_u64 magic = MEMBER(dt_u64, system, o->magic), words = system + o->id;

	if (magic == 0xef53) /* all numbers here are those of include/uapi/linux/magic.h */
		put(room, WORD('e', 'x', 't', '4', 0, 0, 0, 0), 0);
	else if (magic == 0x58465342)
		put(room, WORD('x', 'f', 's', 0, 0, 0, 0, 0), 0);
	else if (magic == 0x9123683e)
		put(room, WORD('b', 't', 'r', 'f', 's', 0, 0, 0), 0);
	else if (magic == 0xf2f52010)
		put(room, WORD('f', '2', 'f', 's', 0, 0, 0, 0), 0);
	else if (magic == 0x4d44)
		put(room, WORD('v', 'f', 'a', 't', 0, 0, 0, 0), 0);
	else if (magic == 0x6969)
		put(room, WORD('n', 'f', 's', 0, 0, 0, 0, 0), 0);
	else if (MEMBER(dt_u64, system, o->device))
		put(room, WORD('<', 'u', 'n', 'k', 'n', 'o', 'w', 'n'), '>');
	else
		put(room, MEMBER(dt_u64, words, 0), MEMBER(dt_u64, words, 8));
}

/* Writes the text of a file that `what` selects to `address` (struct room). Returns 0. */
DT_HIDDEN dt_u64 dt_open_file_text(dt_u64 address, dt_u64 descriptor, dt_u64 what, dt_u64 offsets)
{
	const volatile struct dt_open_files *o = (const volatile struct dt_open_files *)offsets;
	struct room *room = (struct room *)address;
	dt_u64 files = MEMBER(dt_u64, (dt_u64)bpf_get_current_task_btf(), o->files), file, state, mount, system, size;
	struct walk w = {0, room, o, DT_UNKNOWN(0), DT_UNKNOWN(0)};

	descriptor = (dt_u32)descriptor;
	state = files ? state_of(files, descriptor, o) : NONE;
	file = state == FOUND ? file_of(files, descriptor, o) : 0;
	if (state != HIDDEN && !file)
		state = NONE;
	if (state != FOUND) {
		if (state == NONE)
			put(room, WORD('<', 'n', 'o', 'n', 'e', '>', 0, 0), 0);
		else
			put(room, WORD('<', 'u', 'n', 'r', 'e', 'a', 'd', 'a'), WORD('b', 'l', 'e', '>', 0, 0, 0, 0));
		return 0;
	}
	w.dentry = MEMBER(dt_u64, file, o->dentry);
	mount = MEMBER(dt_u64, file, o->mount);
	system = MEMBER(dt_u64, mount, o->file_system);
	if (what == DT_FILE_NAME) {
		((dt_u64 *)room->text)[4] = 0;
		copy_name((dt_u64 *)room->text, &size, w.dentry, o);
	} else if (what == DT_FILE_SYSTEM) {
		put_system(room, system, o);
	} else if (MEMBER(dt_u32, mount, o->mount_flags) & MNT_INTERNAL) {
		if (what == DT_FILE_MOUNT)
			put(room, WORD('<', 'n', 'o', 'n', 'e', '>', 0, 0), 0);
		else
			put(room, WORD('<', 'u', 'n', 'k', 'n', 'o', 'w', 'n'), '>');
	} else {
		w.at = put_id(room, system, o);
		if (what == DT_FILE_MOUNT)
			return 0;
		bpf_loop(DT_FILE_DEPTH, ascend, &w, 0);
		bpf_loop(DT_FILE_DEPTH, append, &w, 0);
		size = w.at;
		DT_OPAQUE(size);
		if (size < DT_FILE_TEXT)
			room->text[size] = 0;
		room->text[DT_FILE_TEXT - 1] = 0;
	}
	return 0;
}

/* Returns the number of a file that `what` selects, or 0 if the file is not open or not readable. */
DT_HIDDEN dt_u64 dt_open_file_number(dt_u64 descriptor, dt_u64 what, dt_u64 offsets)
{
	const volatile struct dt_open_files *o = (const volatile struct dt_open_files *)offsets;
	dt_u64 files = MEMBER(dt_u64, (dt_u64)bpf_get_current_task_btf(), o->files), file;

	descriptor = (dt_u32)descriptor;
	if (!files || state_of(files, descriptor, o) != FOUND)
		return DT_UNKNOWN(0);
	file = file_of(files, descriptor, o);
	if (!file)
		return DT_UNKNOWN(0);
	return what == DT_FILE_POSITION ? MEMBER(dt_u64, file, o->position) : MEMBER(dt_u32, file, o->flags);
}
