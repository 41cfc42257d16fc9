/* defines: cwd root */
/* Where the current process is in the file system (dtrace-variables(7), cwd). */
inline string cwd = d_path(&curthread->fs->pwd);
inline string root = d_path(&curthread->fs->root);

#pragma D attributes Stable/Stable/Common cwd
#pragma D attributes Stable/Stable/Common root
