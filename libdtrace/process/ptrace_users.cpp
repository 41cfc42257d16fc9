// Detects callers of ptrace() by the symbol's name. Sanitizers make the system call directly, but their programs
// contain the sanitizers' symbols.
#include "libdtrace/process/ptrace_users.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/foreign_files.hpp"

namespace dt {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"ptrace", "__asan_init", "__lsan_init", "__hwasan_init"};

bool names_ptrace(const std::string& path)
{
    const ElfFile file(path);
    bool is_used = false;
    if (file.get())
        for_each_symbol(file.get(), [&](const GElf_Sym&, std::string_view text) {
            is_used |= std::find(kNames.begin(), kNames.end(), without_version(text)) != kNames.end();
        });
    return is_used;
}

} // namespace

bool may_use_ptrace(ForeignFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return std::string(names_ptrace(std::string(file)) ? "1" : "");
    };
    const Result<std::string> answer = files.read(path, read, path);
    return answer && !answer.value().empty();
}

} // namespace dt
