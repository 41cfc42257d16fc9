/*@
 * what:    kernel structs compare byte by byte
 */
BEGIN { printf("%d %d\n", curthread->cred->uid == curthread->cred->euid, curthread->cred->uid != curthread->real_cred->uid); exit(0); }
