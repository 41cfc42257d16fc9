/*@
 * what:    tab, newline and bell are text
 */
BEGIN { @["a\tb\a"] = count(); exit(0); }
