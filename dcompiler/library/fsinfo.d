/* defines: fsinfo_object_t fsinfo_object */
/* The object of an fsinfo probe: an open file (arg2 is 0), a path (1), or a name in a directory (2). A name has a file system but no mount, so
 * the mount is taken from the process's working or root directory if that is in the same file system. */
typedef struct fsinfo_object {
	uintptr_t object;
} fsinfo_object_t;

inline struct file *_fs_file[fsinfo_object_t *O] = (struct file *)O;

inline struct dentry *_fs_name[fsinfo_object_t *O] = arg2 == 2 ? (struct dentry *)O : arg2 == 1 ? ((struct path *)O)->dentry : _fs_file[O]->f_path.dentry;

inline struct vfsmount *_fs_here[fsinfo_object_t *O] = curthread->fs == NULL ? NULL :
    curthread->fs->pwd.mnt->mnt_sb == _fs_name[O]->d_sb ? curthread->fs->pwd.mnt :
    curthread->fs->root.mnt->mnt_sb == _fs_name[O]->d_sb ? curthread->fs->root.mnt : NULL;

inline struct vfsmount *_fs_mount[fsinfo_object_t *O] = arg2 == 2 ? _fs_here[O] : arg2 == 1 ? ((struct path *)O)->mnt : _fs_file[O]->f_path.mnt;

inline string _fs_path[fsinfo_object_t *O] = _path_in_mount(_fs_name[O], _fs_mount[O]);

#pragma D attributes Stable/Stable/Common translator
translator fileinfo_t < fsinfo_object_t *O > {
	fi_name = stringof(_fs_name[O]->d_name.name);
	fi_dirname = _fs_path[O] == "<unknown>" ? "<unknown>" : dirname(_fs_path[O]);
	fi_pathname = _fs_path[O];
	fi_offset = arg2 == 0 ? _fs_file[O]->f_pos : 0;
	fi_fs = stringof(_fs_name[O]->d_sb->s_type->name);
	fi_mount = _fs_mount[O] == NULL ? "<unknown>" : _fs_mount[O]->mnt_flags & 0x4000 ? "<none>" : _mount_path(_fs_mount[O]);
	fi_oflags = arg2 == 0 ? _fs_file[O]->f_flags : 0;
};
