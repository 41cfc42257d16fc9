// Decisions that all providers of processes share.
#include "probes/process_view.hpp"

#include "base/text.hpp"

namespace dt::probes {

FiresIn fires_in(ProcessView& processes, int64_t pid, ProgramKind kind)
{
    return processes.is_followed(pid)                                            ? FiresIn::Tree
           : info(kind).by_memory || (pid > 0 && processes.has_lost_leader(pid)) ? FiresIn::Process
                                                                                 : FiresIn::Any;
}

int64_t attached_process(ProcessView& processes, int64_t pid, FiresIn fires_in)
{
    return fires_in == FiresIn::Tree || (pid > 0 && processes.has_lost_leader(pid)) ? 0 : pid;
}

bool is_build_id(std::string_view text)
{
    constexpr std::size_t kFewest = 16, kMost = 64; // digits: some linkers use 8 bytes, SHA-256 has 32
    return text.size() >= kFewest && text.size() <= kMost && text.size() % 2 == 0 &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_called(const std::string& path, bool is_executable, const std::string& module)
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
