// What unwinds calls one of a few functions, of libgcc's, libunwind's or the C library's. A file that has one of the unwinder's is asked as well: it is
// the unwinder, which is mapped because somebody wants it, or was linked statically with it. The C library's own (pthread_cancel, backtrace) are in
// every process, so they count only for those who call them.
#include "libdtrace/process/unwinding.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "libdtrace/elf/elf_file.hpp"

namespace dt {
namespace {

constexpr std::array<std::string_view, 7> kUnwinder = {
    "_Unwind_RaiseException", "_Unwind_SjLj_RaiseException", "_Unwind_ForcedUnwind", "_Unwind_Backtrace", "_Unwind_Resume", "__cxa_throw", "unw_step"};
constexpr std::array<std::string_view, 4> kLibrary = {"pthread_cancel", "pthread_exit", "thrd_exit", "backtrace"};

template <typename Names> bool is_among(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

bool may_unwind(const std::string& path)
{
    const ElfFile file(path);
    if (!file.get())
        return false;
    bool unwinds = false, has_names = false;
    for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
        const std::string_view name = without_version(text);
        has_names = true;
        unwinds |= is_among(kUnwinder, name) || (symbol.st_shndx == SHN_UNDEF && is_among(kLibrary, name));
    });
    // Linked statically and stripped: only the tables by which an exception is handled tell.
    return unwinds || (!has_names && find_section(file.get(), ".gcc_except_table"));
}

} // namespace dt
