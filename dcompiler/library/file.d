/* defines: fileinfo_t fileinfo fds _descriptor_t */
/* An open file (dtrace-variables(7), fds), and the open files of the current process by descriptor. Pipes, sockets and other files without a
 * mount point are in a mount of the kernel's own: MNT_INTERNAL of include/linux/mount.h. */
typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	loff_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

#pragma D attributes Stable/Stable/Common translator
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : stringof(F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : d_path(&F->f_path) == "<unknown>" ? "<unknown>" : dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_path.mnt->mnt_sb->s_type->name);
	fi_mount = F == NULL || F->f_path.mnt->mnt_flags & 0x4000 ? "<none>" : _mount_path(F->f_path.mnt);
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

/* The file to which a block belongs is not known. */
#pragma D attributes Stable/Stable/Common translator
translator fileinfo_t < struct buffer_head *B > {
	fi_name = "<unknown>";
	fi_dirname = "<unknown>";
	fi_pathname = "<unknown>";
	fi_offset = 0;
	fi_fs = "<unknown>";
	fi_mount = "<unknown>";
	fi_oflags = 0;
};

/* Where a program cannot read any memory of the kernel, it can still read part of it: bpf-runtime/strings/open_file.bpf.c. */
typedef struct _descriptor {
	int _descriptor_unused;
} _descriptor_t;

#pragma D attributes Stable/Stable/Common translator
translator fileinfo_t < _descriptor_t *D > {
	fi_name = _open_file_text((int)(uintptr_t)D, 0);
	fi_dirname = index(_open_file_text((int)(uintptr_t)D, 1), "/") < 0 ? _open_file_text((int)(uintptr_t)D, 1) : dirname(_open_file_text((int)(uintptr_t)D, 1));
	fi_pathname = _open_file_text((int)(uintptr_t)D, 1);
	fi_offset = _open_file_number((int)(uintptr_t)D, 0);
	fi_fs = _open_file_text((int)(uintptr_t)D, 2);
	fi_mount = _open_file_text((int)(uintptr_t)D, 3);
	fi_oflags = _open_file_number((int)(uintptr_t)D, 1);
};

!kernel.readable	inline fileinfo_t fds[int fd] = xlate <fileinfo_t> ((_descriptor_t *)(uintptr_t)fd);
?kernel.readable	inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (
?kernel.readable	curthread->files != NULL && fd >= 0 && fd < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[fd] : (struct file *)NULL);

#pragma D attributes Stable/Stable/Common fds
