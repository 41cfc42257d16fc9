/*@
 * what:    a key longer than its column is not cut
 */
BEGIN { @["kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"] = count(); exit(0); }
