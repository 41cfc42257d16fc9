/*@
 * what:    @ and @_ name the same aggregation
 */
BEGIN { @ = count(); @_ = count(); exit(0); }
