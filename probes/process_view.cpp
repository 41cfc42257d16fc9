// What providers of processes decide alike.
#include "probes/process_view.hpp"

#include "base/glob.hpp"
#include "dcompiler/plan.hpp"

namespace dt::probes {

FiresIn fires_in(ProcessView& processes, int64_t pid, ProgramKind kind)
{
    return processes.is_followed(pid) ? FiresIn::Tree : info(kind).by_memory ? FiresIn::Process : FiresIn::Any;
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
