/*@
 * what:    most samples of profile-N in a computing program are in user mode
 * needs:   profile
 * run:     -qs %file% -c '%progs%/burn 300'
 */
profile-499 /pid == $target && arg1/ { @n = count(); }
END { printa("%@d\n", @n); }
