// Lowers errname, strerror, signame and syscallname, which convert numbers to names by tables in read-only data. The
// names of errors and signals come from the C library with which the compiler was built: all supported machines have
// the same names.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

namespace {

/// Error numbers that the kernel uses internally (include/linux/errno.h). Scripts see them when a system call is
/// interrupted, and in results of kernel functions.
constexpr std::pair<int, const char*> kKernelErrors[] = {{512, "ERESTARTSYS"},
                                                         {513, "ERESTARTNOINTR"},
                                                         {514, "ERESTARTNOHAND"},
                                                         {515, "ENOIOCTLCMD"},
                                                         {516, "ERESTART_RESTARTBLOCK"},
                                                         {517, "EPROBE_DEFER"},
                                                         {518, "EOPENSTALE"},
                                                         {519, "ENOPARAM"},
                                                         {521, "EBADHANDLE"},
                                                         {522, "ENOTSYNC"},
                                                         {523, "EBADCOOKIE"},
                                                         {524, "ENOTSUPP"},
                                                         {525, "ETOOSMALL"},
                                                         {526, "ESERVERFAULT"},
                                                         {527, "EBADTYPE"},
                                                         {528, "EJUKEBOX"},
                                                         {529, "EIOCBQUEUED"},
                                                         {530, "ERECALLCONFLICT"}};

/// Names of numbers: names[N] is the name of N, empty if N has none.
using Names = std::vector<std::string>;

void set_name(Names& names, std::size_t number, std::string name)
{
    if (names.size() <= number)
        names.resize(number + 1);
    names[number] = std::move(name);
}

/// System calls return error numbers below this one; larger ones exist only in the kernel.
constexpr int kErrorBound = 512;

Names error_names()
{
    Names names;
    for (int error = 0; error < kErrorBound; ++error)
        if (const char* name = strerrorname_np(error))
            set_name(names, static_cast<std::size_t>(error), name);
    for (const auto& [error, name] : kKernelErrors)
        set_name(names, static_cast<std::size_t>(error), name);
    return names;
}

Names error_descriptions()
{
    Names names;
    for (int error = 0; error < kErrorBound; ++error)
        if (const char* description = strerrordesc_np(error))
            set_name(names, static_cast<std::size_t>(error), description);
    return names;
}

Names signal_names()
{
    constexpr int kFirstRealTime = 34, kLast = 64; // real-time signals, numbered as in the C library
    Names names;
    for (int signal = 1; signal < kFirstRealTime; ++signal)
        if (const char* name = sigabbrev_np(signal))
            set_name(names, static_cast<std::size_t>(signal), std::string("SIG") + name);
    for (int signal = kFirstRealTime; signal <= kLast; ++signal)
        set_name(names, static_cast<std::size_t>(signal),
                 signal == kFirstRealTime ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(signal - kFirstRealTime));
    return names;
}

Names system_call_names(const machine::Machine& machine)
{
    Names names;
    for (const machine::SyscallEntry& call : machine.syscalls.table())
        set_name(names, call.number, std::string(call.name));
    return names;
}

constexpr std::string_view kUnknownName = "<unknown>";

/// A table of names in read-only data. Its rows have equal size, and each contains a name and a NUL. Row 0 is for
/// unknown numbers, row N + 1 for the number N. The number of rows is a power of two, so a mask bounds the index.
struct NameTable {
    ir::Data data;
    uint32_t row_size = 0, rows = 1;
};

NameTable table_of(const char* symbol, const Names& names)
{
    NameTable table;
    std::size_t longest = kUnknownName.size();
    for (const std::string& name : names)
        longest = std::max(longest, name.size());
    table.row_size = align_up(static_cast<uint32_t>(longest) + 1, 8);
    while (table.rows < names.size() + 1)
        table.rows *= 2;
    table.data = {symbol, ".rodata", table.rows * table.row_size, 8, {}};
    table.data.bytes.resize(table.data.size);
    for (std::size_t row = 0; row < table.rows; ++row) {
        const bool has_name = row > 0 && row <= names.size() && !names[row - 1].empty();
        const std::string_view name = has_name ? std::string_view(names[row - 1]) : kUnknownName;
        std::copy(name.begin(), name.end(),
                  table.data.bytes.begin() + static_cast<std::ptrdiff_t>(row * table.row_size));
    }
    return table;
}

/// Yields the name of `number`, or "<unknown>".
Operand name_of(ClauseLowering& l, Value number, const char* symbol, const Names& names)
{
    auto& b = l.b();
    const NameTable table = table_of(symbol, names);
    const Value base =
        b.data_addr(l.module().data.once(symbol, [&] { return table.data; }), table.rows * table.row_size);
    const Value is_named = b.binary(Op::ULt, number, b.constant(static_cast<int64_t>(names.size())));
    const Value row = b.binary(Op::Mul, b.binary(Op::Add, number, b.constant(1)), is_named);
    const Value bounded = b.binary(Op::And, row, b.constant(table.rows - 1));
    const Value name = b.binary(Op::Add, base, b.binary(Op::Mul, bounded, b.constant(table.row_size)));
    b.instr(name).mem = Mem::MapValue;
    b.instr(name).region = table.row_size;
    return {Operand::Kind::Text, name, Mem::MapValue, table.row_size, false, false, {}};
}

/// Yields the absolute value of an error number, because kernel functions return errors as negative numbers.
Value error_number(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value value = l.expressions.value(*e.kids[0]);
    const Value sign = b.binary(Op::AShr, value, b.constant(63));
    return b.binary(Op::Sub, b.binary(Op::Xor, value, sign), sign);
}

} // namespace

Operand lower_errname(ClauseLowering& l, const TExpr& e)
{
    return name_of(l, error_number(l, e), "error_names", error_names());
}

Operand lower_strerror(ClauseLowering& l, const TExpr& e)
{
    return name_of(l, error_number(l, e), "error_descriptions", error_descriptions());
}

Operand lower_signame(ClauseLowering& l, const TExpr& e)
{
    return name_of(l, l.expressions.value(*e.kids[0]), "signal_names", signal_names());
}

Operand lower_syscallname(ClauseLowering& l, const TExpr& e)
{
    return name_of(l, l.expressions.value(*e.kids[0]), "system_call_names",
                   system_call_names(l.module().world.machine()));
}

} // namespace dt::lower
