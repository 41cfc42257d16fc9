/*@
 * what:    string keys take 50 columns, longer ones are whole
 */
BEGIN { @["one"] = sum(1); @["two"] = sum(2); @["kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"] = sum(3); exit(0); }
