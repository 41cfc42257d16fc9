/*@
 * what:    profile-N fires in user mode of a computing program, with an address of the program in arg1
 * needs:   profile
 * run:     -qs %file% -c '%progs%/burn 300'
 */
profile-499 /pid == $target && arg1/ { @n = count(); }
END { printa("%@d\n", @n); }
