/* defines: nfs_call_t nfs_call nfsv3opinfo_t nfsv3opinfo nfsv4opinfo_t nfsv4opinfo */
/* Calls of an NFS server. arg1 and arg2 point to the remote and local address, arg3 is their IP version, and arg4 is the call's number (XID). */
typedef struct nfs_call {
	uintptr_t call;
} nfs_call_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator conninfo_t < nfs_call_t *C > {
	ci_local = _address[(uintptr_t)arg2, (int)arg3];
	ci_remote = _address[(uintptr_t)arg1, (int)arg3];
	ci_protocol = arg3 == 4 ? "ipv4" : arg3 == 6 ? "ipv6" : "<unknown>";
};

typedef struct nfsv3opinfo {
	uint64_t noi_xid;
	string noi_curpath;
} nfsv3opinfo_t;

/* At the start the kernel has not decoded the arguments; at the end it has released the file. */
#pragma D attributes Evolving/Evolving/ISA translator
translator nfsv3opinfo_t < nfs_call_t *C > {
	noi_xid = ntohl(arg4);
	noi_curpath = "<unknown>";
};

typedef struct nfsv4opinfo {
	uint64_t noi_xid;
	string noi_curpath;
} nfsv4opinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator nfsv4opinfo_t < nfs_call_t *C > {
	noi_xid = ntohl(arg4);
	noi_curpath = "<unknown>";
};
