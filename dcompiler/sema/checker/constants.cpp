// D's predefined named constants, and conversions of values between types.
//
// The predefined constants are those of the classic D libraries: errno, signals, open flags, protocols, and the
// machine's registers. They behave like `inline int NAME = value` (NULL: `inline long`), but live in one table, so that
// unused ones cost nothing.
#include <algorithm>
#include <unordered_map>

#include "dcompiler/sema/checker/checker.hpp"
#include "machine/machine.hpp"

namespace dt::sema {

namespace {

struct NamedConstant {
    std::string_view name;
    int64_t value;
};

constexpr NamedConstant kConstants[] = {
    {"NULL", 0},
    // codes of faults (dtrace-output(7), FAULTS AND DROPS)
    {"DTRACEFLT_UNKNOWN", 0},
    {"DTRACEFLT_BADADDR", 1},
    {"DTRACEFLT_BADALIGN", 2},
    {"DTRACEFLT_ILLOP", 3},
    {"DTRACEFLT_DIVZERO", 4},
    {"DTRACEFLT_NOSCRATCH", 5},
    {"DTRACEFLT_KPRIV", 6},
    {"DTRACEFLT_UPRIV", 7},
    {"DTRACEFLT_TUPOFLOW", 8},
    {"DTRACEFLT_BADSTACK", 9},
    {"DTRACEFLT_BADSIZE", 10},
    {"DTRACEFLT_BADINDEX", 11},
    {"DTRACEFLT_LIBRARY", 1000},
    // errno values
    {"EPERM", 1},
    {"ENOENT", 2},
    {"ESRCH", 3},
    {"EINTR", 4},
    {"EIO", 5},
    {"ENXIO", 6},
    {"E2BIG", 7},
    {"ENOEXEC", 8},
    {"EBADF", 9},
    {"ECHILD", 10},
    {"EAGAIN", 11},
    {"ENOMEM", 12},
    {"EACCES", 13},
    {"EFAULT", 14},
    {"ENOTBLK", 15},
    {"EBUSY", 16},
    {"EEXIST", 17},
    {"EXDEV", 18},
    {"ENODEV", 19},
    {"ENOTDIR", 20},
    {"EISDIR", 21},
    {"EINVAL", 22},
    {"ENFILE", 23},
    {"EMFILE", 24},
    {"ENOTTY", 25},
    {"ETXTBSY", 26},
    {"EFBIG", 27},
    {"ENOSPC", 28},
    {"ESPIPE", 29},
    {"EROFS", 30},
    {"EMLINK", 31},
    {"EPIPE", 32},
    {"EDOM", 33},
    {"ERANGE", 34},
    {"EDEADLK", 35},
    {"EDEADLOCK", 35},
    {"ENAMETOOLONG", 36},
    {"ENOLCK", 37},
    {"ENOSYS", 38},
    {"ENOTEMPTY", 39},
    {"ELOOP", 40},
    {"ENOMSG", 42},
    {"EIDRM", 43},
    {"ECHRNG", 44},
    {"EL2NSYNC", 45},
    {"EL3HLT", 46},
    {"EL3RST", 47},
    {"ELNRNG", 48},
    {"EUNATCH", 49},
    {"ENOCSI", 50},
    {"EL2HLT", 51},
    {"EBADE", 52},
    {"EBADR", 53},
    {"EXFULL", 54},
    {"ENOANO", 55},
    {"EBADRQC", 56},
    {"EBADSLT", 57},
    {"EBFONT", 59},
    {"ENOSTR", 60},
    {"ENODATA", 61},
    {"ETIME", 62},
    {"ENOSR", 63},
    {"ENONET", 64},
    {"ENOPKG", 65},
    {"EREMOTE", 66},
    {"ENOLINK", 67},
    {"EADV", 68},
    {"ESRMNT", 69},
    {"ECOMM", 70},
    {"EPROTO", 71},
    {"EMULTIHOP", 72},
    {"EDOTDOT", 73},
    {"EBADMSG", 74},
    {"EOVERFLOW", 75},
    {"ENOTUNIQ", 76},
    {"EBADFD", 77},
    {"EREMCHG", 78},
    {"ELIBACC", 79},
    {"ELIBBAD", 80},
    {"ELIBSCN", 81},
    {"ELIBMAX", 82},
    {"ELIBEXEC", 83},
    {"EILSEQ", 84},
    {"ERESTART", 85},
    {"ESTRPIPE", 86},
    {"EUSERS", 87},
    {"ENOTSOCK", 88},
    {"EDESTADDRREQ", 89},
    {"EMSGSIZE", 90},
    {"EPROTOTYPE", 91},
    {"ENOPROTOOPT", 92},
    {"EPROTONOSUPPORT", 93},
    {"ESOCKTNOSUPPORT", 94},
    {"ENOTSUP", 95},
    {"EOPNOTSUPP", 95},
    {"EPFNOSUPPORT", 96},
    {"EAFNOSUPPORT", 97},
    {"EADDRINUSE", 98},
    {"EADDRNOTAVAIL", 99},
    {"ENETDOWN", 100},
    {"ENETUNREACH", 101},
    {"ENETRESET", 102},
    {"ECONNABORTED", 103},
    {"ECONNRESET", 104},
    {"ENOBUFS", 105},
    {"EISCONN", 106},
    {"ENOTCONN", 107},
    {"ESHUTDOWN", 108},
    {"ETOOMANYREFS", 109},
    {"ETIMEDOUT", 110},
    {"ECONNREFUSED", 111},
    {"EHOSTDOWN", 112},
    {"EHOSTUNREACH", 113},
    {"EALREADY", 114},
    {"EINPROGRESS", 115},
    {"ESTALE", 116},
    {"EUCLEAN", 117},
    {"ENOTNAM", 118},
    {"ENAVAIL", 119},
    {"EISNAM", 120},
    {"EREMOTEIO", 121},
    {"EDQUOT", 122},
    {"ENOMEDIUM", 123},
    {"EMEDIUMTYPE", 124},
    {"ECANCELED", 125},
    {"ENOKEY", 126},
    {"EKEYEXPIRED", 127},
    {"EKEYREVOKED", 128},
    {"EKEYREJECTED", 129},
    {"EOWNERDEAD", 130},
    {"ENOTRECOVERABLE", 131},
    {"ERFKILL", 132},
    {"EWOULDBLOCK", 11},
    // signal numbers
    {"SIGHUP", 1},
    {"SIGINT", 2},
    {"SIGQUIT", 3},
    {"SIGILL", 4},
    {"SIGTRAP", 5},
    {"SIGABRT", 6},
    {"SIGIOT", 6},
    {"SIGBUS", 7},
    {"SIGFPE", 8},
    {"SIGKILL", 9},
    {"SIGUSR1", 10},
    {"SIGSEGV", 11},
    {"SIGUSR2", 12},
    {"SIGPIPE", 13},
    {"SIGALRM", 14},
    {"SIGTERM", 15},
    {"SIGSTKFLT", 16},
    {"SIGCHLD", 17},
    {"SIGCLD", 17},
    {"SIGCONT", 18},
    {"SIGSTOP", 19},
    {"SIGTSTP", 20},
    {"SIGTTIN", 21},
    {"SIGTTOU", 22},
    {"SIGURG", 23},
    {"SIGXCPU", 24},
    {"SIGXFSZ", 25},
    {"SIGVTALRM", 26},
    {"SIGPROF", 27},
    {"SIGWINCH", 28},
    {"SIGIO", 29},
    {"SIGPOLL", 29},
    {"SIGPWR", 30},
    {"SIGSYS", 31},
    // reasons why a child stopped (proc:::exit), and states of threads and processes
    {"CLD_EXITED", 1},
    {"CLD_KILLED", 2},
    {"CLD_DUMPED", 3},
    {"CLD_TRAPPED", 4},
    {"CLD_STOPPED", 5},
    {"CLD_CONTINUED", 6},
    {"PR_MODEL_ILP32", 1},
    {"PR_MODEL_LP64", 2},
    {"PR_STOPPED", 1},
    {"PR_ISTOP", 2},
    {"PR_DSTOP", 4},
    {"PR_IDLE", 268435456},
    {"SSLEEP", 1},
    {"SRUN", 2},
    {"SZOMB", 3},
    {"SSTOP", 4},
    {"SIDL", 5},
    {"SONPROC", 6},
    {"SWAIT", 7},
    // open(2) flags in fi_oflags
    {"O_ACCMODE", 3},
    {"O_RDONLY", 0},
    {"O_WRONLY", 1},
    {"O_RDWR", 2},
    {"O_CREAT", 64},
    {"O_EXCL", 128},
    {"O_NOCTTY", 256},
    {"O_TRUNC", 512},
    {"O_APPEND", 1024},
    {"O_NONBLOCK", 2048},
    {"O_NDELAY", 2048},
    {"O_DSYNC", 4096},
    {"O_ASYNC", 8192},
    {"O_NOATIME", 262144},
    {"O_CLOEXEC", 524288},
    {"O_SYNC", 1052672},
    {"O_RSYNC", 1052672},
    {"O_PATH", 2097152},
    // constants of network protocols
    {"IPPROTO_IP", 0},
    {"IPPROTO_ICMP", 1},
    {"IPPROTO_IGMP", 2},
    {"IPPROTO_IPIP", 4},
    {"IPPROTO_TCP", 6},
    {"IPPROTO_EGP", 8},
    {"IPPROTO_PUP", 12},
    {"IPPROTO_UDP", 17},
    {"IPPROTO_IDP", 22},
    {"IPPROTO_TP", 29},
    {"IPPROTO_DCCP", 33},
    {"IPPROTO_IPV6", 41},
    {"IPPROTO_ROUTING", 43},
    {"IPPROTO_FRAGMENT", 44},
    {"IPPROTO_RSVP", 46},
    {"IPPROTO_GRE", 47},
    {"IPPROTO_ESP", 50},
    {"IPPROTO_AH", 51},
    {"IPPROTO_ICMPV6", 58},
    {"IPPROTO_NONE", 59},
    {"IPPROTO_DSTOPTS", 60},
    {"IPPROTO_OSPF", 89},
    {"IPPROTO_MTP", 92},
    {"IPPROTO_BEETPH", 94},
    {"IPPROTO_ENCAP", 98},
    {"IPPROTO_PIM", 103},
    {"IPPROTO_COMP", 108},
    {"IPPROTO_SCTP", 132},
    {"IPPROTO_MH", 135},
    {"IPPROTO_UDPLITE", 136},
    {"IPPROTO_RAW", 255},
    {"IPPROTO_MAX", 256},
    {"IPPROTO_HOPOPTS", 0},
    {"TCP_MIN_HEADER_LENGTH", 20},
    {"AF_INET", 2},
    {"AF_INET6", 10},
    {"ARPHRD_ETHER", 1},
    {"ARPHRD_INFINIBAND", 32},
    {"NET_PROBE_OUTBOUND", 0},
    {"NET_PROBE_INBOUND", 1},
    {"PCAP_NULL", 0},
    {"PCAP_ETHER", 1},
    {"PCAP_PPP", 9},
    {"PCAP_IP", 12},
    {"PCAP_WIFI", 105},
    {"PCAP_IPOIB", 242},
    // constants for the providers tcp and io
    {"TCP_STATE_IDLE", 0},
    {"TCP_STATE_ESTABLISHED", 1},
    {"TCP_STATE_SYN_SENT", 2},
    {"TCP_STATE_SYN_RECEIVED", 3},
    {"TCP_STATE_FIN_WAIT_1", 4},
    {"TCP_STATE_FIN_WAIT_2", 5},
    {"TCP_STATE_TIME_WAIT", 6},
    {"TCP_STATE_CLOSED", 7},
    {"TCP_STATE_CLOSE_WAIT", 8},
    {"TCP_STATE_LAST_ACK", 9},
    {"TCP_STATE_LISTEN", 10},
    {"TCP_STATE_CLOSING", 11},
    {"TH_FIN", 0x01},
    {"TH_SYN", 0x02},
    {"TH_RST", 0x04},
    {"TH_PSH", 0x08},
    {"TH_PUSH", 0x08},
    {"TH_ACK", 0x10},
    {"TH_URG", 0x20},
    {"TH_ECE", 0x40},
    {"TH_CWR", 0x80},
    {"RW_WRITER", 0},
    {"RW_READER", 1},
    {"B_BUSY", 1},
    {"B_DONE", 2},
    {"B_ERROR", 4},
    {"B_PAGEIO", 16},
    {"B_PHYS", 32},
    {"B_READ", 64},
    {"B_WRITE", 256},
    {"B_ASYNC", 1024},
};

} // namespace

std::optional<int64_t> find_constant(std::string_view name, const machine::Machine& machine)
{
    static const auto by_name = [] {
        std::unordered_map<std::string_view, int64_t> map;
        for (const NamedConstant& constant : kConstants)
            map.emplace(constant.name, constant.value);
        return map;
    }();
    if (const auto found = by_name.find(name); found != by_name.end())
        return found->second;
    for (const machine::RegisterName& entry : machine.registers.names)
        if (entry.name == name)
            return entry.number;
    for (const machine::NamedFlag& flag : machine.flags)
        if (flag.name == name)
            return flag.value;
    return std::nullopt;
}

// Determines which types are compatible, and inserts Cast nodes where a value is converted.
//
// Operators work on 64 bits for all operand types (dtrace-language(7), NUMBERS AND TYPES), so a result may be too large
// for its type. It is truncated where it is stored, cast, passed or used as a key: convert() inserts a Cast there. So
// lowering needs no conversion rules.

int64_t canonical(int64_t value, const Type* type)
{
    type = type->resolve();
    if (type->kind != TypeKind::Integer && type->kind != TypeKind::Enum)
        return value;
    switch (type->size) {
    case 1:
        return type->is_signed ? int64_t{static_cast<int8_t>(value)} : int64_t{static_cast<uint8_t>(value)};
    case 2:
        return type->is_signed ? int64_t{static_cast<int16_t>(value)} : int64_t{static_cast<uint16_t>(value)};
    case 4:
        return type->is_signed ? int64_t{static_cast<int32_t>(value)} : int64_t{static_cast<uint32_t>(value)};
    default:
        return value;
    }
}

/// Returns whether the 64-bit result of an expression is certainly a value of its type.
static bool fits_its_type(const TExpr* value)
{
    if (!value->type->is_integer() || value->type->resolve()->size >= 8)
        return true;
    switch (value->op) {
    case TOp::Variable:
        return value->variable->stored->resolve()->size < 8;
    case TOp::Assign:
        return fits_its_type(value->kids[0]);
    case TOp::Negate:
    case TOp::BitNot:
    case TOp::Conditional:
    case TOp::Comma:
        return false;
    default:
        return !is_arithmetic(value->op);
    }
}

bool is_null_constant(const TExpr* value)
{
    return value->op == TOp::Integer && value->value == 0 && (value->type->is_integer() || value->type->is_pointer());
}

bool is_char_array(const Type* type)
{
    type = type->resolve();
    return type->kind == TypeKind::Array && type->target->resolve()->is_char;
}

bool is_string_compatible(const Type* type)
{
    type = type->resolve();
    return type->kind == TypeKind::String || is_char_array(type) ||
           (type->kind == TypeKind::Pointer && type->target->resolve()->is_char) || is_counted_text(type);
}

std::string text_hint(const Type* type, const TExpr* value)
{
    if (type->is_pointer() && is_string_compatible(type))
        return type->resolve()->space == AddressSpace::User ? "it is a user address: copy it in with copyinstr()"
                                                            : "read the text with stringof()";
    if (value && value->op == TOp::Integer && value->at.source && value->at.offset < value->at.source->text.size() &&
        value->at.source->text[value->at.offset] == '\'')
        return "a string takes double quotes";
    if (!type->is_integer() || type->resolve()->size != 8 || (value && value->op == TOp::Integer))
        return {};
    const BuiltinVariable* builtin = value ? value->builtin : nullptr;
    // a built-in variable with a type of its own, such as a time, is not an address; raw arguments have type int64_t
    if (builtin && builtin->type != "int64_t")
        return {};
    const std::string name = builtin ? std::string(builtin->name) : "";
    return "to read a string at this address, use copyinstr(" + name + ") for a user program's string or stringof(" +
           name + ") for a kernel string";
}

bool is_lvalue(const TExpr* value)
{
    switch (value->op) {
    case TOp::Variable:
    case TOp::Builtin:
    case TOp::KernelSymbol:
    case TOp::Deref:
    case TOp::Index:
        return true;
    case TOp::Member:
        return is_lvalue(value->kids[0]);
    default:
        return false;
    }
}

TExpr* Values::node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids)
{
    TExpr* made = program.expr();
    made->op = op;
    made->type = type;
    made->at = checker.reports.placed(at);
    made->kids = std::move(kids);
    return made;
}

TExpr* Values::integer(int64_t value, const Type* type, const Span& at)
{
    TExpr* made = node(TOp::Integer, type, at);
    made->value = canonical(value, type);
    return made;
}

TExpr* Values::convert(TExpr* value, const Type* type)
{
    const Type* to = type->resolve();
    if (value->op == TOp::Integer && value->type->is_scalar() && type->is_scalar())
        return integer(value->value, type, value->at);
    if (value->type == type && fits_its_type(value))
        return value;
    TExpr* made = node(TOp::Cast, type, value->at, {value});
    // all 64 bits of the address remain in an integer of 8 bytes
    made->scratch = value->scratch && (to->kind == TypeKind::Pointer || to->size == 8);
    if (made->scratch && type->is_pointer())
        made->type = types.pointer_to(to->target, AddressSpace::Scratch);
    return made;
}

TExpr* Values::folded(int64_t value, const Type* type, const Span& at)
{
    TExpr* made = node(TOp::Integer, type, at);
    made->value = value;
    return made;
}

/// For `string + integer`, returns the address of the part of the string from that index on. Returns null for other
/// expressions. Used where an address is needed and a copy of the string is not.
TExpr* Values::text_pointer(TExpr* value)
{
    const bool moved = value->op == TOp::StringOf && value->kids[0]->op == TOp::PointerAdd;
    return moved && value->kids[0]->scratch ? value->kids[0] : nullptr;
}

TExpr* Values::decay(TExpr* value)
{
    const Type* type = value->type->resolve();
    if (type->kind == TypeKind::Struct && has_wrapped_pointer(type))
        return wrapped_pointer(value);
    if (type->kind != TypeKind::Array)
        return value;
    const TExpr* root = value;
    while (root->op == TOp::Member || root->op == TOp::Index)
        root = root->kids[0];
    const bool own = root->op == TOp::Variable || root->scratch || (root->op == TOp::Deref && root->kids[0]->scratch);
    AddressSpace space = AddressSpace::Kernel;
    if (own)
        space = AddressSpace::Scratch;
    else if (root->op == TOp::Deref && root->kids[0]->type->is_pointer())
        space = root->kids[0]->type->resolve()->space;
    TExpr* made = node(TOp::AddressOf, types.pointer_to(type->target, space, 8), value->at, {value});
    made->scratch = own;
    return made;
}

TExpr* Values::to_string_value(TExpr* value)
{
    const Type* type = value->type->resolve();
    if (type->kind == TypeKind::String)
        return value;
    if (is_null_constant(value)) {
        TExpr* null = node(TOp::Integer, types.string(), value->at);
        return null;
    }
    if (is_counted_text(type))
        return counted_text(value);
    const Type* result = type->kind == TypeKind::Array ? types.string_of(type->count + 1) : types.string();
    return node(TOp::StringOf, result, value->at, {value});
}

const Type* Values::usual_type(const Type* a, const Type* b)
{
    const auto promoted = [this](const Type* type) {
        return type->resolve()->kind == TypeKind::Enum ? types.named("int") : type;
    };
    const auto rank = [](const Type* type) { return type->resolve()->size * 8 + (type->resolve()->is_signed ? 0 : 1); };
    a = promoted(a);
    b = promoted(b);
    return rank(a) >= rank(b) ? a : b;
}

bool Values::compatible(const Type* a, const Type* b)
{
    a = a->resolve();
    b = b->resolve();
    while (a->kind == TypeKind::Pointer && b->kind == TypeKind::Pointer) {
        a = a->target->resolve();
        b = b->target->resolve();
    }
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TypeKind::Integer:
        return a->size == b->size && a->is_signed == b->is_signed;
    case TypeKind::Array:
        return a->count == b->count && compatible(a->target, b->target);
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
        return !a->name.empty() && a->name == b->name && (a->incomplete || b->incomplete || a->size == b->size);
    case TypeKind::Function:
        return true; // all functions are compatible; their parameters are not compared
    case TypeKind::Float:
        return a->name == b->name;
    default:
        return true; // equal kinds suffice: strings of any length, stacks, symbol addresses, void
    }
}

bool Values::pointer_compatible(const TExpr* a, const TExpr* b)
{
    const bool a_pointer = a->type->is_pointer();
    const bool b_pointer = b->type->is_pointer();
    if (!a_pointer && !b_pointer)
        return false;
    if (!a_pointer || !b_pointer)
        return is_null_constant(a_pointer ? b : a);
    if (is_null_constant(a) || is_null_constant(b))
        return true;
    const Type* left = a->type->resolve();
    const Type* right = b->type->resolve();
    if ((left->space == AddressSpace::User) != (right->space == AddressSpace::User))
        return false;
    return left->target->resolve()->kind == TypeKind::Void || right->target->resolve()->kind == TypeKind::Void ||
           compatible(left, right);
}

TExpr* Values::argument(TExpr* value, const Type* type)
{
    const Type* to = type->resolve();
    const Type* from = value->type->resolve();
    if (from->kind == TypeKind::Dynamic || from->kind == TypeKind::Void)
        return nullptr;
    if (to->kind == TypeKind::String) {
        if (is_string_compatible(from) || (is_null_constant(value) && from->kind != TypeKind::Pointer))
            return to_string_value(value);
        return is_null_constant(value) && from->target->resolve()->kind == TypeKind::Void ? to_string_value(value)
                                                                                          : nullptr;
    }
    if (value->type->is_integer() && type->is_integer())
        return convert(value, type);
    if (to->kind == TypeKind::Pointer) {
        if (from->kind == TypeKind::String &&
            (is_string_compatible(to) || to->target->resolve()->kind == TypeKind::Void))
            return text_pointer(value) ? text_pointer(value) : node(TOp::Cast, type, value->at, {value});
        TExpr* pointer = decay(value);
        TExpr probe;
        probe.type = type;
        probe.op = TOp::Variable;
        if (!pointer_compatible(pointer, &probe))
            return nullptr;
        return pointer->type->is_pointer() && pointer->op != TOp::Integer ? pointer : convert(pointer, type);
    }
    return compatible(from, to) ? value : nullptr;
}

const Type* Values::value_type(const TExpr* value)
{
    const Type* type = value->type->resolve();
    if (type->kind == TypeKind::String)
        return types.string();
    return value->type;
}

DynamicValue* Values::dynamic(const TExpr* value)
{
    const auto found = dynamic_.find(value);
    return found == dynamic_.end() ? nullptr : &found->second;
}

std::string Values::aggregation_hint(const TExpr* a, const TExpr* b)
{
    for (const TExpr* value : {a, b})
        if (const DynamicValue* object = dynamic(value); object && object->aggregation)
            return "an aggregation has no value in a clause: printa(@" +
                   (object->aggregation->name == "_" ? "" : object->aggregation->name) + ") prints it";
    return {};
}

TExpr* Values::dynamic_node(DynamicValue value, const Span& at)
{
    TExpr* made = node(TOp::Integer, types.dynamic(), at);
    dynamic_[made] = value;
    return made;
}

} // namespace dt::sema
