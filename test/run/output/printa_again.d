/*@
 * what:    printa twice shows the same; what was printed is not printed at exit
 */
BEGIN { @["x"] = count(); exit(0); }
END { printa(@); printa("%s=%@d\n", @); }
