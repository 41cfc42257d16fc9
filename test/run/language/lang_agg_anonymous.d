/*@
 * what:    @ and @_ are one aggregation
 */
BEGIN { @ = count(); @_ = count(); exit(0); }
