/*@
 * what:    == and != compare all bytes of two kernel structs
 */
BEGIN { printf("%d %d\n", curthread->cred->uid == curthread->cred->euid, curthread->cred->uid != curthread->real_cred->uid); exit(0); }
