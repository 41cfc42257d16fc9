/* @tag: D_SYM_BADREF
 * @says: kernel module vmlinux symbol jiffies may not be referenced as a user symbol
 * @line: 5
 * kernel/user mark does not fit the symbol's module */
BEGIN { trace(vmlinux``jiffies); }
