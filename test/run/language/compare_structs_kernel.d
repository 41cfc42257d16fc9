/*@
 * what:    structs of the kernel too
 */
BEGIN { printf("%d %d\n", curthread->cred->uid == curthread->cred->euid, curthread->cred->uid != curthread->real_cred->uid); exit(0); }
