/*@
 * what:    string keys are padded to 50 columns, and longer strings print completely
 */
BEGIN { @["one"] = sum(1); @["two"] = sum(2); @["kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"] = sum(3); exit(0); }
