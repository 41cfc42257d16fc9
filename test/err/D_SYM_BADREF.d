/* @tag: D_SYM_BADREF
 * @says: kernel module vmlinux symbol jiffies may not be referenced as a user symbol
 * @line: 5
 * two backquotes after a kernel module are an error, because they mark symbols of a process */
BEGIN { trace(vmlinux``jiffies); }
