/*@
 * what:    setopt() accepts option names and values that the program computes as strings
 */
BEGIN { this->n = "12"; setopt(strjoin("stack", "indent"), this->n); name = "nosuch"; setopt(name, this->n); setopt(name); exit(0); }
