/*@
 * what:    the texts of setopt() may be computed
 */
BEGIN { this->n = "12"; setopt(strjoin("stack", "indent"), this->n); name = "nosuch"; setopt(name, this->n); setopt(name); exit(0); }
