/*@
 * what:    printa() twice prints the same entries, and they do not print again at exit
 */
BEGIN { @["x"] = count(); exit(0); }
END { printa(@); printa("%s=%@d\n", @); }
