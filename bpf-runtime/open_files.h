/* Offsets of members by which programs for kernels that are locked down find the open files of the current process
 * (strings/open_file.bpf.c). The compiler fills them in as constant data, so that the verifier knows each load. */
#ifndef DT_OPEN_FILES_H
#define DT_OPEN_FILES_H

struct dt_open_files {
	unsigned long long files;                          /* offset in task_struct */
	unsigned long long table, array;                   /* offsets in files_struct */
	unsigned long long most;                           /* offset in fdtable of the number of descriptors */
	unsigned long long dentry, mount, position, flags; /* offsets in file */
	unsigned long long parent, length, name;           /* offsets in dentry; `name` is the buffer for short names */
	unsigned long long file_system, mount_flags;       /* offsets in vfsmount */
	unsigned long long id, magic, device;              /* offsets in super_block */
};

/* Texts that dt_open_file_text() writes. */
#define DT_FILE_NAME 0
#define DT_FILE_PATH 1
#define DT_FILE_SYSTEM 2
#define DT_FILE_MOUNT 3
/* Numbers that dt_open_file_number() returns. */
#define DT_FILE_POSITION 0
#define DT_FILE_FLAGS 1

#define DT_FILE_TEXT 1024 /* size of a text in bytes; longer paths lose their end */
#define DT_FILE_DEPTH 24  /* maximum number of names in a path; deeper paths lose their beginning */
#define DT_FILE_SHORT 32  /* size in bytes of a name stored in the dentry itself, with its NUL */
/* Size of the working memory of dt_open_file_text(). The memory begins with the text, followed by room for one more
 * name. */
#define DT_FILE_ROOM (DT_FILE_TEXT + 64 + DT_FILE_DEPTH * (DT_FILE_SHORT + 8))

#endif
