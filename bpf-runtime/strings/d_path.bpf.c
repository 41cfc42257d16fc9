/* d_path(): the absolute path of a dentry in a mount, found by walking up to the root of the file system and from mount
 * to mount. It does the same as prepend_path() in fs/d_path.c, without its locks, so a concurrent rename may be
 * visible. dtrace-actions(7), d_path. */
#include "bpf-runtime/runtime.h"

#define MOST_COMPONENTS 64
#define MOST_STEPS 128 /* maximum number of components, and of steps from a mount to its parent mount */
#define ROOM 4096      /* size of the path's buffer: PATH_MAX */
#define NAME_ROOM 256  /* size of a name's buffer: NAME_MAX and a NUL */

/* Working memory provided by the caller: the path, built from its end, and a name. The path has additional room for a
 * name, because the verifier adds the maximum position and the maximum length of a name. */
struct room {
	dt_u8 path[ROOM + NAME_ROOM];
	dt_u8 name[NAME_ROOM];
};

/* Byte offsets of members, 16 bits each, packed by dcompiler/lower/builtins/subroutines.cpp. */
#define DENTRY_PARENT(o) (0xffff & (o))
#define DENTRY_NAME(o) ((o) >> 16 & 0xffff) /* offset of d_name.name */
#define MOUNT_MNT(o) (0xffff & (o))
#define MOUNT_PARENT(o) ((o) >> 16 & 0xffff)
#define MOUNT_POINT(o) ((o) >> 32 & 0xffff)
#define MNT_ROOT(o) ((o) >> 48 & 0xffff)

struct walk {
	struct room *room;
	dt_u64 dentry, mount; /* current position of the walk to the root; `mount` is a struct mount */
	dt_u64 dentry_offsets, mount_offsets;
	dt_u64 at; /* index of the path's first character */
	dt_u64 components;
	dt_u64 arrived;
};

static long step(dt_u32 i, struct walk *w)
{
	dt_u64 parent, name, length, at;

	(void)i;
	if (!w->dentry || !w->mount)
		return 1;
	if (w->dentry == dt_kernel_word(w->mount + MOUNT_MNT(w->mount_offsets) + MNT_ROOT(w->mount_offsets))) {
		parent = dt_kernel_word(w->mount + MOUNT_PARENT(w->mount_offsets));
		if (parent == w->mount) {
			w->arrived = 1;
			return 1;
		}
		w->dentry = dt_kernel_word(w->mount + MOUNT_POINT(w->mount_offsets));
		w->mount = parent;
		return 0;
	}
	parent = dt_kernel_word(w->dentry + DENTRY_PARENT(w->dentry_offsets));
	if (parent == w->dentry || ++w->components > MOST_COMPONENTS)
		return 1;
	name = dt_kernel_word(w->dentry + DENTRY_NAME(w->dentry_offsets));
	length = bpf_probe_read_kernel_str(w->room->name, NAME_ROOM, (const void *)name) - 1;
	at = w->at - length;
	DT_OPAQUE(length);
	DT_OPAQUE(at);
	if (length >= NAME_ROOM || at >= ROOM || at < 1)
		return 1;
	bpf_probe_read_kernel(w->room->path + at, length, w->room->name);
	at--;
	DT_OPAQUE(at);
	if (at >= ROOM)
		return 1;
	w->room->path[at] = '/';
	w->at = at;
	w->dentry = parent;
	return 0;
}

/* Writes the path to `room` (struct room) and returns the address of its first character. `mount` is the address of the
 * struct vfsmount in a struct mount. */
DT_HIDDEN dt_u64 dt_d_path(dt_u64 room, dt_u64 dentry, dt_u64 mount, dt_u64 dentry_offsets, dt_u64 mount_offsets)
{
	struct walk w = {(struct room *)room};
	dt_u8 *text = w.room->path;
	dt_u64 at;

	w.dentry_offsets = dentry_offsets;
	w.mount_offsets = mount_offsets;
	w.dentry = dentry;
	w.mount = mount ? mount - MOUNT_MNT(mount_offsets) : 0;
	w.at = DT_UNKNOWN(ROOM - 1);
	w.components = DT_UNKNOWN(0);
	DT_LOOP(MOST_STEPS, MOST_STEPS, step, &w, &w.dentry, &w.mount, &w.at, &w.components);
	text[ROOM - 1] = 0;
	at = w.at;
	if (!w.arrived || at >= ROOM) {
		((dt_u64 *)text)[0] = 0x6e776f6e6b6e753cULL; /* the first 8 characters of "<unknown>"; the next word
		                                        contains the last one */
		((dt_u64 *)text)[1] = '>';
		return room;
	}
	if (at == ROOM - 1) {
		text[0] = '/';
		text[1] = 0;
		return room;
	}
	DT_OPAQUE(at);
	return room + at;
}
