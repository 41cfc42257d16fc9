// A process that does not exist, one that may not be looked at and a kernel thread all have no files: the user wants to know which it is.
#include "libdtrace/process/view.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "dcompiler/world.hpp"
#include "libdtrace/process/objects.hpp"
#include "libdtrace/process/elf_symbols.hpp"

namespace dt {
namespace {

class LiveProcesses final : public probes::ProcessView {
public:
    explicit LiveProcesses(std::function<std::string()> proc) : proc_(std::move(proc)) {}

    bool is_tracer(int64_t pid) override { return pid == getpid(); }

    Result<std::vector<Object>> objects(int64_t pid) override
    {
        const std::string proc = proc_(), process = proc + "/" + std::to_string(pid);
        char program[1];
        if (readlink((process + "/exe").c_str(), program, sizeof program) < 0) {
            const int reason = errno;
            const bool is_gone = access(process.c_str(), F_OK) != 0;
            return Error{is_gone ? "No such process" : reason == ENOENT ? "it is a kernel thread" : std::strerror(reason), is_gone ? ESRCH : reason};
        }
        process_.emplace(proc, pid);
        std::vector<Object> result;
        for (const ProcessObjects::Object& object : process_->all())
            result.push_back({object.path, result.empty()});
        return result;
    }

    std::vector<Function> functions(const Object& object, std::string_view pattern) override
    {
        std::vector<Function> result;
        if (!process_)
            return result;
        const auto& all = process_->all();
        const auto mapped = std::find_if(all.begin(), all.end(), [&](const ProcessObjects::Object& each) { return each.path == object.path; });
        if (mapped == all.end())
            return result;
        const ElfSymbols symbols(mapped->file);
        for (const ElfSymbols::Symbol& symbol : symbols.all())
            if (symbol.is_function && glob_match(pattern, symbol.name))
                result.push_back({symbol.name, symbol.size});
        return result;
    }

private:
    std::function<std::string()> proc_;
    std::optional<ProcessObjects> process_; ///< the one last asked for
};

} // namespace

std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc)
{
    return std::make_unique<LiveProcesses>(std::move(proc));
}

} // namespace dt
