// Functions that all providers of processes share: they determine the processes in which a probe fires, recognize build
// ids, and match module names.
#include "probes/process_view.hpp"

#include "base/text.hpp"

namespace dt::probes {

ProcessScope process_scope(ProcessView& processes, int64_t pid, ProgramKind kind)
{
    return processes.is_followed(pid)                                                  ? ProcessScope::Tree
           : info(kind).per_address_space || (pid > 0 && processes.has_no_leader(pid)) ? ProcessScope::Process
                                                                                       : ProcessScope::Any;
}

int64_t attached_process(ProcessView& processes, int64_t pid, ProcessScope process_scope)
{
    // The first thread may have ended since `process_scope` was chosen. With ProcessScope::Any, the BPF program does
    // not check in which process it runs, so the kernel must still limit the probe to the process.
    const bool compares = process_scope != ProcessScope::Any;
    return process_scope == ProcessScope::Tree || (compares && pid > 0 && processes.has_no_leader(pid)) ? 0 : pid;
}

bool is_build_id(std::string_view text)
{
    // Limits for the number of hexadecimal digits of a build id. Some linkers use 8 bytes; SHA-256 has 32.
    constexpr std::size_t kFewest = 16, kMax = 64;
    return text.size() >= kFewest && text.size() <= kMax && text.size() % 2 == 0 &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool matches_file(const std::string& path, bool is_executable, const std::string& module)
{
    const std::string base = path.substr(path.rfind('/') + 1);
    if ((is_executable && glob_match(module, "a.out")) || glob_match(module, path) || glob_match(module, base))
        return true;
    for (std::size_t dot = base.find('.'); dot != std::string::npos; dot = base.find('.', dot + 1))
        if (module == base.substr(0, dot))
            return true;
    return false;
}

} // namespace dt::probes
