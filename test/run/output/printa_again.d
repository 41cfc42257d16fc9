/*@
 * what:    printa() twice prints the same entries, which are not printed again at exit
 */
BEGIN { @["x"] = count(); exit(0); }
END { printa(@); printa("%s=%@d\n", @); }
