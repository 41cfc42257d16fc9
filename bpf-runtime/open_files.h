/* Offsets of members by which programs for locked-down kernels find the open files of the current process
 * (strings/open_file.bpf.c). The compiler inserts them as constant data, so that the verifier knows the offset of
 * each load. */
#ifndef DT_OPEN_FILES_H
#define DT_OPEN_FILES_H

struct dt_open_files {
	unsigned long long files;                          /* of task_struct */
	unsigned long long table, array;                   /* of files_struct */
	unsigned long long most;                           /* offset in fdtable of the number of descriptors */
	unsigned long long dentry, mount, position, flags; /* of file */
	unsigned long long parent, length, name;           /* offsets in dentry; `name` contains only short names */
	unsigned long long file_system, mount_flags;       /* of vfsmount */
	unsigned long long id, magic, device;              /* of super_block */
};

/* texts that dt_open_file_text() can write */
#define DT_FILE_NAME 0
#define DT_FILE_PATH 1
#define DT_FILE_SYSTEM 2
#define DT_FILE_MOUNT 3
/* numbers that dt_open_file_number() can return */
#define DT_FILE_POSITION 0
#define DT_FILE_FLAGS 1

#define DT_FILE_TEXT 1024 /* size of a text; the end of a longer path is missing */
#define DT_FILE_DEPTH 24  /* number of names in a path; the beginning of a path with more names is missing */
#define DT_FILE_SHORT 32  /* maximum size of a name that is stored in the dentry itself, with its NUL */
/* Working memory of dt_open_file_text(). It begins with the text, followed by room for one more name. */
#define DT_FILE_ROOM (DT_FILE_TEXT + 64 + DT_FILE_DEPTH * (DT_FILE_SHORT + 8))

#endif
