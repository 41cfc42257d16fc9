// Named constants that every program has, as the classic D libraries defined them: errno, signals, open flags, protocols, registers.
//
// They behave as `inline int NAME = value` (NULL: `inline long`), but live in one table, so that a run that uses none pays nothing.
#include <unordered_map>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

constexpr NamedConstant kConstants[] = {
    {"NULL", 0},
    // Fault codes (runtime reference 5.3).
    {"DTRACEFLT_UNKNOWN", 0}, {"DTRACEFLT_BADADDR", 1}, {"DTRACEFLT_BADALIGN", 2}, {"DTRACEFLT_ILLOP", 3}, {"DTRACEFLT_DIVZERO", 4},
    {"DTRACEFLT_NOSCRATCH", 5}, {"DTRACEFLT_KPRIV", 6}, {"DTRACEFLT_UPRIV", 7}, {"DTRACEFLT_TUPOFLOW", 8}, {"DTRACEFLT_BADSTACK", 9},
    {"DTRACEFLT_BADSIZE", 10}, {"DTRACEFLT_BADINDEX", 11}, {"DTRACEFLT_LIBRARY", 1000},
    // errno
    {"EPERM", 1}, {"ENOENT", 2}, {"ESRCH", 3}, {"EINTR", 4}, {"EIO", 5}, {"ENXIO", 6}, {"E2BIG", 7}, {"ENOEXEC", 8}, {"EBADF", 9},
    {"ECHILD", 10}, {"EAGAIN", 11}, {"ENOMEM", 12}, {"EACCES", 13}, {"EFAULT", 14}, {"ENOTBLK", 15}, {"EBUSY", 16}, {"EEXIST", 17},
    {"EXDEV", 18}, {"ENODEV", 19}, {"ENOTDIR", 20}, {"EISDIR", 21}, {"EINVAL", 22}, {"ENFILE", 23}, {"EMFILE", 24}, {"ENOTTY", 25},
    {"ETXTBSY", 26}, {"EFBIG", 27}, {"ENOSPC", 28}, {"ESPIPE", 29}, {"EROFS", 30}, {"EMLINK", 31}, {"EPIPE", 32}, {"EDOM", 33},
    {"ERANGE", 34}, {"EDEADLOCK", 35}, {"ENAMETOOLONG", 36}, {"ENOLCK", 37}, {"ENOSYS", 38}, {"ENOTEMPTY", 39}, {"ELOOP", 40},
    {"ENOMSG", 42}, {"EIDRM", 43}, {"ECHRNG", 44}, {"EL2NSYNC", 45}, {"EL3HLT", 46}, {"EL3RST", 47}, {"ELNRNG", 48}, {"EUNATCH", 49},
    {"ENOCSI", 50}, {"EL2HLT", 51}, {"EBADE", 52}, {"EBADR", 53}, {"EXFULL", 54}, {"ENOANO", 55}, {"EBADRQC", 56}, {"EBADSLT", 57},
    {"EBFONT", 59}, {"ENOSTR", 60}, {"ENODATA", 61}, {"ETIME", 62}, {"ENOSR", 63}, {"ENONET", 64}, {"ENOPKG", 65}, {"EREMOTE", 66},
    {"ENOLINK", 67}, {"EADV", 68}, {"ESRMNT", 69}, {"ECOMM", 70}, {"EPROTO", 71}, {"EMULTIHOP", 72}, {"EDOTDOT", 73}, {"EBADMSG", 74},
    {"EOVERFLOW", 75}, {"ENOTUNIQ", 76}, {"EBADFD", 77}, {"EREMCHG", 78}, {"ELIBACC", 79}, {"ELIBBAD", 80}, {"ELIBSCN", 81},
    {"ELIBMAX", 82}, {"ELIBEXEC", 83}, {"EILSEQ", 84}, {"ERESTART", 85}, {"ESTRPIPE", 86}, {"EUSERS", 87}, {"ENOTSOCK", 88},
    {"EDESTADDRREQ", 89}, {"EMSGSIZE", 90}, {"EPROTOTYPE", 91}, {"ENOPROTOOPT", 92}, {"EPROTONOSUPPORT", 93}, {"ESOCKTNOSUPPORT", 94},
    {"ENOTSUP", 95}, {"EPFNOSUPPORT", 96}, {"EAFNOSUPPORT", 97}, {"EADDRINUSE", 98}, {"EADDRNOTAVAIL", 99}, {"ENETDOWN", 100},
    {"ENETUNREACH", 101}, {"ENETRESET", 102}, {"ECONNABORTED", 103}, {"ECONNRESET", 104}, {"ENOBUFS", 105}, {"EISCONN", 106},
    {"ENOTCONN", 107}, {"ESHUTDOWN", 108}, {"ETOOMANYREFS", 109}, {"ETIMEDOUT", 110}, {"ECONNREFUSED", 111}, {"EHOSTDOWN", 112},
    {"EHOSTUNREACH", 113}, {"EALREADY", 114}, {"EINPROGRESS", 115}, {"ESTALE", 116}, {"EUCLEAN", 117}, {"ENOTNAM", 118},
    {"ENAVAIL", 119}, {"EISNAM", 120}, {"EREMOTEIO", 121}, {"EDQUOT", 122}, {"ENOMEDIUM", 123}, {"EMEDIUMTYPE", 124},
    {"ECANCELED", 125}, {"ENOKEY", 126}, {"EKEYEXPIRED", 127}, {"EKEYREVOKED", 128}, {"EKEYREJECTED", 129}, {"EOWNERDEAD", 130},
    {"ENOTRECOVERABLE", 131}, {"ERFKILL", 132}, {"EWOULDBLOCK", 11},
    // signals
    {"SIGHUP", 1}, {"SIGINT", 2}, {"SIGQUIT", 3}, {"SIGILL", 4}, {"SIGTRAP", 5}, {"SIGABRT", 6}, {"SIGIOT", 6}, {"SIGBUS", 7},
    {"SIGFPE", 8}, {"SIGKILL", 9}, {"SIGUSR1", 10}, {"SIGSEGV", 11}, {"SIGUSR2", 12}, {"SIGPIPE", 13}, {"SIGALRM", 14},
    {"SIGTERM", 15}, {"SIGSTKFLT", 16}, {"SIGCHLD", 17}, {"SIGCLD", 17}, {"SIGCONT", 18}, {"SIGSTOP", 19}, {"SIGTSTP", 20},
    {"SIGTTIN", 21}, {"SIGTTOU", 22}, {"SIGURG", 23}, {"SIGXCPU", 24}, {"SIGXFSZ", 25}, {"SIGVTALRM", 26}, {"SIGPROF", 27},
    {"SIGWINCH", 28}, {"SIGIO", 29}, {"SIGPOLL", 29}, {"SIGPWR", 30}, {"SIGSYS", 31},
    // why a child stopped (proc:::exit), thread and process states
    {"CLD_EXITED", 1}, {"CLD_KILLED", 2}, {"CLD_DUMPED", 3}, {"CLD_TRAPPED", 4}, {"CLD_STOPPED", 5}, {"CLD_CONTINUED", 6},
    {"PR_MODEL_ILP32", 1}, {"PR_MODEL_LP64", 2}, {"PR_STOPPED", 1}, {"PR_ISTOP", 2}, {"PR_DSTOP", 4}, {"PR_IDLE", 268435456},
    {"SSLEEP", 1}, {"SRUN", 2}, {"SZOMB", 3}, {"SSTOP", 4}, {"SIDL", 5}, {"SONPROC", 6}, {"SWAIT", 7},
    // open(2), as fi_oflags holds them
    {"O_ACCMODE", 3}, {"O_RDONLY", 0}, {"O_WRONLY", 1}, {"O_RDWR", 2}, {"O_CREAT", 64}, {"O_EXCL", 128}, {"O_NOCTTY", 256},
    {"O_TRUNC", 512}, {"O_APPEND", 1024}, {"O_NONBLOCK", 2048}, {"O_NDELAY", 2048}, {"O_DSYNC", 4096}, {"O_ASYNC", 8192},
    {"O_DIRECT", 16384}, {"O_LARGEFILE", 32768}, {"O_DIRECTORY", 65536}, {"O_NOFOLLOW", 131072}, {"O_NOATIME", 262144},
    {"O_CLOEXEC", 524288}, {"O_SYNC", 1052672}, {"O_RSYNC", 1052672}, {"O_PATH", 2097152}, {"O_TMPFILE", 4259840},
    // network
    {"IPPROTO_IP", 0}, {"IPPROTO_ICMP", 1}, {"IPPROTO_IGMP", 2}, {"IPPROTO_IPIP", 4}, {"IPPROTO_TCP", 6}, {"IPPROTO_EGP", 8},
    {"IPPROTO_PUP", 12}, {"IPPROTO_UDP", 17}, {"IPPROTO_IDP", 22}, {"IPPROTO_TP", 29}, {"IPPROTO_DCCP", 33}, {"IPPROTO_IPV6", 41},
    {"IPPROTO_ROUTING", 43}, {"IPPROTO_FRAGMENT", 44}, {"IPPROTO_RSVP", 46}, {"IPPROTO_GRE", 47}, {"IPPROTO_ESP", 50},
    {"IPPROTO_AH", 51}, {"IPPROTO_ICMPV6", 58}, {"IPPROTO_NONE", 59}, {"IPPROTO_DSTOPTS", 60}, {"IPPROTO_OSPF", 89},
    {"IPPROTO_MTP", 92}, {"IPPROTO_BEETPH", 94}, {"IPPROTO_ENCAP", 98}, {"IPPROTO_PIM", 103}, {"IPPROTO_COMP", 108},
    {"IPPROTO_SCTP", 132}, {"IPPROTO_MH", 135}, {"IPPROTO_UDPLITE", 136}, {"IPPROTO_RAW", 255}, {"IPPROTO_MAX", 256},
    {"IPPROTO_HOPOPTS", 0}, {"TCP_MIN_HEADER_LENGTH", 20}, {"AF_INET", 2}, {"AF_INET6", 10}, {"ARPHRD_ETHER", 1},
    {"ARPHRD_INFINIBAND", 32},
    {"PCAP_NULL", 0}, {"PCAP_ETHER", 1}, {"PCAP_PPP", 9}, {"PCAP_IP", 12}, {"PCAP_WIFI", 105}, {"PCAP_IPOIB", 242},
    // tcp and io
    {"TCP_STATE_IDLE", 0}, {"TCP_STATE_ESTABLISHED", 1}, {"TCP_STATE_SYN_SENT", 2}, {"TCP_STATE_SYN_RECEIVED", 3},
    {"TCP_STATE_FIN_WAIT_1", 4}, {"TCP_STATE_FIN_WAIT_2", 5}, {"TCP_STATE_TIME_WAIT", 6}, {"TCP_STATE_CLOSED", 7},
    {"TCP_STATE_CLOSE_WAIT", 8}, {"TCP_STATE_LAST_ACK", 9}, {"TCP_STATE_LISTEN", 10}, {"TCP_STATE_CLOSING", 11}, {"B_BUSY", 1},
    {"B_DONE", 2}, {"B_ERROR", 4}, {"B_PAGEIO", 16}, {"B_PHYS", 32}, {"B_READ", 64}, {"B_WRITE", 256}, {"B_ASYNC", 1024},
#if defined(__aarch64__)
    // uregs[]: words of the saved registers
    {"R_X0", 0}, {"R_X1", 1}, {"R_X2", 2}, {"R_X3", 3}, {"R_X4", 4}, {"R_X5", 5}, {"R_X6", 6}, {"R_X7", 7}, {"R_X8", 8}, {"R_X9", 9},
    {"R_X10", 10}, {"R_X11", 11}, {"R_X12", 12}, {"R_X13", 13}, {"R_X14", 14}, {"R_X15", 15}, {"R_X16", 16}, {"R_X17", 17},
    {"R_X18", 18}, {"R_X19", 19}, {"R_X20", 20}, {"R_X21", 21}, {"R_X22", 22}, {"R_X23", 23}, {"R_X24", 24}, {"R_X25", 25},
    {"R_X26", 26}, {"R_X27", 27}, {"R_X28", 28}, {"R_X29", 29}, {"R_X30", 30}, {"R_SP", 31}, {"R_PC", 32}, {"R_PSTATE", 33},
    {"R_FP", 29},
#else
    // uregs[]: words of the saved registers, then registers of the thread (runtime reference 1.3)
    {"R_R15", 0}, {"R_R14", 1}, {"R_R13", 2}, {"R_R12", 3}, {"R_RBP", 4}, {"R_RBX", 5}, {"R_R11", 6}, {"R_R10", 7}, {"R_R9", 8},
    {"R_R8", 9}, {"R_RAX", 10}, {"R_RCX", 11}, {"R_RDX", 12}, {"R_RSI", 13}, {"R_RDI", 14}, {"R_ERR", 15}, {"R_RIP", 16},
    {"R_CS", 17}, {"R_RFL", 18}, {"R_RSP", 19}, {"R_SS", 20}, {"R_DS", 21}, {"R_ES", 22}, {"R_FS", 23}, {"R_GS", 24},
    {"R_TRAPNO", 25}, {"R_EBX", 5}, {"R_ECX", 11}, {"R_EDX", 12}, {"R_ESI", 13}, {"R_EDI", 14}, {"R_EBP", 4}, {"R_EAX", 10},
    {"R_EIP", 16}, {"R_EFL", 18}, {"R_ESP", 19}, {"R_PC", 16}, {"R_FP", 4}, {"R_SP", 19}, {"R_PS", 18}, {"R_R0", 10}, {"R_R1", 5},
#endif
};

} // namespace

const NamedConstant* find_constant(std::string_view name)
{
    static const auto by_name = [] {
        std::unordered_map<std::string_view, const NamedConstant*> map;
        for (const NamedConstant& constant : kConstants)
            map.emplace(constant.name, &constant);
        return map;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

} // namespace dt::sema
