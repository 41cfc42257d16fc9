/*@
 * what:    an aggregation key longer than its column prints completely
 */
BEGIN { @["kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"] = count(); exit(0); }
