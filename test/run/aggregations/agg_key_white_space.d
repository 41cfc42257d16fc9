/*@
 * what:    a string key with tab, newline and bell characters prints as text and not as a byte dump
 */
BEGIN { @["a\tb\a"] = count(); exit(0); }
