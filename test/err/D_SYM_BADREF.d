/* @tag: D_SYM_BADREF
 * kernel/user mark does not fit the symbol's module */
BEGIN { trace(vmlinux``jiffies); }
