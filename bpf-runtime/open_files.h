/* Offsets of members by which programs for kernels that are locked down find the open files of the current process
 * (strings/open_file.bpf.c). The compiler fills them in as constant data, so that the verifier knows each load. */
#ifndef DT_OPEN_FILES_H
#define DT_OPEN_FILES_H

struct dt_open_files {
	unsigned long long files;                          /* of task_struct */
	unsigned long long table, array;                   /* of files_struct */
	unsigned long long most;                           /* of fdtable: number of descriptors */
	unsigned long long dentry, mount, position, flags; /* of file */
	unsigned long long parent, length, name;           /* of dentry; `name` has short names */
	unsigned long long file_system, mount_flags;       /* of vfsmount */
	unsigned long long id, magic, device;              /* of super_block */
};

/* Texts that dt_open_file_text() writes. */
#define DT_FILE_NAME 0
#define DT_FILE_PATH 1
#define DT_FILE_SYSTEM 2
#define DT_FILE_MOUNT 3
/* Numbers that dt_open_file_number() returns. */
#define DT_FILE_POSITION 0
#define DT_FILE_FLAGS 1

#define DT_FILE_TEXT 1024 /* size of a text; of a path longer than that, the end is missing */
#define DT_FILE_DEPTH 24  /* number of a path's names; of a longer path, the beginning is missing */
#define DT_FILE_SHORT 32  /* size of a name in the dentry itself, with its NUL */
/* Working memory of dt_open_file_text(). It begins with the text, which has room for a name behind its end. */
#define DT_FILE_ROOM (DT_FILE_TEXT + 64 + DT_FILE_DEPTH * (DT_FILE_SHORT + 8))

#endif
