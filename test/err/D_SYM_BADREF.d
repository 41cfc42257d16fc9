/* @tag: D_SYM_BADREF
 * @says: kernel module vmlinux symbol jiffies may not be referenced as a user symbol
 * @line: 5
 * two backquotes, which mark symbols of a process, after a kernel module are an error */
BEGIN { trace(vmlinux``jiffies); }
