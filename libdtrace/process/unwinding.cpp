// Detects code that unwinds stacks, by calls of a few functions of libgcc, libunwind or the C library. A file that
// defines an unwinder's function counts too: it is the unwinder's library, or is statically linked with it. The C
// library's own functions (pthread_cancel, backtrace) are in every process, so only their callers count. The same holds
// for makecontext(): calls on several stacks return in another order than they began, and the kernel's single list of
// return addresses per thread would mix them up. OpenSSL's library calls it only for users of its jobs, so callers of
// the job functions count instead.
#include "libdtrace/process/unwinding.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <string_view>

#include "bpf-runtime/abi.h"
#include "base/packed_bytes.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/foreign_files.hpp"

namespace dt {
namespace {

constexpr std::array<std::string_view, 7> kUnwinder = {"_Unwind_RaiseException",
                                                       "_Unwind_SjLj_RaiseException",
                                                       "_Unwind_ForcedUnwind",
                                                       "_Unwind_Backtrace",
                                                       "_Unwind_Resume",
                                                       "__cxa_throw",
                                                       "unw_step"};
constexpr std::array<std::string_view, 4> kLibrary = {"pthread_cancel", "pthread_exit", "thrd_exit", "backtrace"};
constexpr std::array<std::string_view, 5> kStacks = {"makecontext", "ASYNC_start_job", "SSL_waiting_for_async",
                                                     "SSL_get_all_async_fds", "SSL_get_changed_async_fds"};

/// The meaning of a call of each of libgcc's functions. LLVM's library has the others, but no function that finds
/// frames.
const std::map<std::string_view, uint32_t> kUnwinderFunctions = {{"_Unwind_Find_FDE", DT_UNWOUND_FRAME},
                                                                 {"_Unwind_RaiseException", DT_UNWOUND_RAISE},
                                                                 {"_Unwind_Resume", DT_UNWOUND_RESUME},
                                                                 {"_Unwind_ForcedUnwind", DT_UNWOUND_FORCED},
                                                                 {"_Unwind_Resume_or_Rethrow", DT_UNWOUND_AGAIN},
                                                                 {"_Unwind_Backtrace", DT_UNWOUND_OTHER},
                                                                 {"_Unwind_FindEnclosingFunction", DT_UNWOUND_OTHER}};

template <typename Names> bool is_among(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_unwinder_names(const std::string& path)
{
    const ElfFile file(path);
    if (!file.get())
        return false;
    bool unwinds = false, has_stacks = false, is_of_openssl = false, has_names = false;
    for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
        const std::string_view name = without_version(text);
        has_names = true;
        const bool is_called = symbol.st_shndx == SHN_UNDEF;
        unwinds |= is_among(kUnwinder, name) || (is_called && is_among(kLibrary, name));
        has_stacks |= is_called && is_among(kStacks, name);
        is_of_openssl |= !is_called && is_among(kStacks, name);
    });
    unwinds |= has_stacks && !is_of_openssl;
    // A statically linked and stripped file shows it only by its exception tables.
    return unwinds || (!has_names && find_section(file.get(), ".gcc_except_table"));
}

using Functions = std::vector<probes::ProcessView::UnwinderFunction>;

Functions find_unwinder_functions(const std::string& path)
{
    const ElfFile file(path);
    std::map<std::string_view, GElf_Sym> found;
    if (file.get())
        for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
            const auto known = kUnwinderFunctions.find(without_version(text));
            if (known != kUnwinderFunctions.end() && symbol.st_shndx != SHN_UNDEF &&
                GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
                found.emplace(known->first, symbol);
        });
    if (!found.contains("_Unwind_RaiseException"))
        return {};
    const bool tells_frames = found.contains("_Unwind_Find_FDE");
    const ElfSymbols symbols(path);
    Functions functions;
    for (const auto& [name, symbol] : found) {
        const uint32_t which = kUnwinderFunctions.at(name);
        const bool throws = which == DT_UNWOUND_RAISE || which == DT_UNWOUND_FORCED;
        const auto offset = symbols.code_offset(symbol.st_value);
        if (offset && (tells_frames || throws))
            functions.push_back({tells_frames ? which : DT_UNWOUND_UNTOLD, *offset, symbol.st_size});
    }
    return functions;
}

} // namespace

bool may_unwind(ForeignFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return std::string(has_unwinder_names(std::string(file)) ? "1" : "");
    };
    const Result<std::string> answer = files.read(path, read, path);
    return answer ? !answer.value().empty() : answer.error().code != ENOENT;
}

Functions unwinder_functions(ForeignFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        PackedWriter answer;
        answer.array(std::span<const Functions::value_type>(find_unwinder_functions(std::string(file))));
        return answer.take();
    };
    const Result<std::string> answer = files.read(path, read, path);
    PackedReader told(answer ? std::string_view(answer.value()) : std::string_view());
    Functions functions = told.array<Functions::value_type>();
    std::erase_if(functions, [](const auto& each) {
        return each.which != DT_UNWOUND_UNTOLD &&
               std::none_of(kUnwinderFunctions.begin(), kUnwinderFunctions.end(),
                            [&](const auto& known) { return known.second == each.which; });
    });
    return functions;
}

} // namespace dt
