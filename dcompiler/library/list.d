/* defines: sockinfo_t sockinfo vmainfo_t vmainfo */
/* Sockets and mappings that exist when a trace starts (dtrace-providers(7), list). */
typedef struct sockinfo {
	uintptr_t so_addr;
	int so_family;
	string so_protocol;
	int so_state;
	string so_laddr;
	string so_raddr;
	uint16_t so_lport;
	uint16_t so_rport;
	uint64_t so_inode;
} sockinfo_t;

/* arg1 is the IP protocol, 0 for sockets of family unix. While TCP opens a connection, and after it has closed one, it keeps less than a struct
 * sock: states TCP_TIME_WAIT (6) and TCP_NEW_SYN_RECV (12) of include/net/tcp_states.h. A struct socket is the first member of a struct
 * socket_alloc. AF_UNIX is 1. */
inline struct sock *_list_sock[struct sock_common *S] = S->skc_state == 6 || S->skc_state == 12 ? NULL : (struct sock *)S;
inline struct unix_address *_list_unix[struct sock_common *S] = S->skc_family == 1 ? ((struct unix_sock *)S)->addr : NULL;
inline char *_list_path[struct sock_common *S] = (char *)&_list_unix[S]->name->sun_path;

#pragma D attributes Evolving/Evolving/ISA translator
translator sockinfo_t < struct sock_common *S > {
	so_addr = (uintptr_t)S;
	so_family = S->skc_family;
	so_protocol = arg1 == IPPROTO_TCP ? "tcp" : arg1 == IPPROTO_UDP ? "udp" : "unix";
	so_state = S->skc_state;
	so_laddr = S->skc_family == AF_INET ? inet_ntoa(&S->skc_rcv_saddr) : S->skc_family == AF_INET6 ? inet_ntoa6((in6_addr_t *)&S->skc_v6_rcv_saddr) :
	    _list_unix[S] == NULL ? "" : *_list_path[S] != 0 ? stringof(_list_path[S]) : memstr(_list_path[S], '@', _list_unix[S]->len - 1);
	so_raddr = S->skc_family == AF_INET ? inet_ntoa(&S->skc_daddr) : S->skc_family == AF_INET6 ? inet_ntoa6((in6_addr_t *)&S->skc_v6_daddr) : "";
	so_lport = S->skc_family == 1 ? 0 : S->skc_num;
	so_rport = S->skc_family == 1 ? 0 : ntohs(S->skc_dport);
	so_inode = _list_sock[S] == NULL || _list_sock[S]->sk_socket == NULL ? 0 : ((struct socket_alloc *)_list_sock[S]->sk_socket)->vfs_inode.i_ino;
};

typedef struct vmainfo {
	uintptr_t vi_start;
	uintptr_t vi_end;
	int vi_prot;
	int vi_shared;
	uint64_t vi_page;
	string vi_pathname;
} vmainfo_t;

/* VM_READ (1), VM_WRITE (2), VM_EXEC (4), VM_SHARED (8): include/linux/mm.h. The first three equal PROT_READ, PROT_WRITE and PROT_EXEC. */
#pragma D attributes Evolving/Evolving/ISA translator
translator vmainfo_t < struct vm_area_struct *V > {
	vi_start = V->vm_start;
	vi_end = V->vm_end;
	vi_prot = V->vm_flags & 7;
	vi_shared = (V->vm_flags & 8) != 0;
	vi_page = V->vm_file == NULL ? 0 : V->vm_pgoff;
	vi_pathname = V->vm_file == NULL ? "" : d_path(&V->vm_file->f_path);
};
