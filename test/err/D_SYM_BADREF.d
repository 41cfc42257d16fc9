/* @tag: D_SYM_BADREF
 * @says: kernel module vmlinux symbol jiffies may not be referenced as a user symbol
 * @line: 5
 * a kernel or user symbol mark that does not fit the symbol's module is an error */
BEGIN { trace(vmlinux``jiffies); }
