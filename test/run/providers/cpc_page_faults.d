/*@
 * what:    cpc:::page_faults-all-1 fires for each of 300 new pages, and arg1 is the address of the user code
 * needs:   profile
 * run:     -q -c '%progs%/touch_pages 300'
 * expect:  exact
 */
int touching;
syscall::getppid:entry /pid == $target/ { touching = !touching; }
cpc:::page_faults-all-1 /pid == $target && touching/ { @["all", arg0 == 0, arg1 != 0] = count(); }
cpc:::minor_faults-user-1 /pid == $target && touching/ { @["user", arg0 == 0, arg1 != 0] = count(); }
cpc:::page_faults-kernel-1 /pid == $target && touching/ { @["kernel", arg0 == 0, arg1 != 0] = count(); }
END { printa("%s %d %d %@d\n", @); }
