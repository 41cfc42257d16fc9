/* defines: cwd root */
/* Working and root directory of the current process (dtrace-variables(7), cwd). */
inline string cwd = d_path(&curthread->fs->pwd);
inline string root = d_path(&curthread->fs->root);

#pragma D attributes Stable/Stable/Common cwd
#pragma D attributes Stable/Stable/Common root
