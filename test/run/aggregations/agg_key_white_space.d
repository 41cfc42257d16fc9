/*@
 * what:    a key with tab, newline and bell characters counts as text
 */
BEGIN { @["a\tb\a"] = count(); exit(0); }
