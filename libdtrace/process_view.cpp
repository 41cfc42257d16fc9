#include "libdtrace/process_view.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "dcompiler/world.hpp"
#include "libdtrace/symbols_user.hpp"

namespace dt {
namespace {

class LiveProcesses final : public probes::ProcessView {
public:
    bool is_tracer(int64_t pid) override { return pid == getpid(); }

    Result<std::vector<Object>> objects(int64_t pid) override
    {
        const std::string process = "/proc/" + std::to_string(pid);
        char program[4096];
        const ssize_t length = readlink((process + "/exe").c_str(), program, sizeof program);
        if (length < 0)
            return Error{access(process.c_str(), F_OK) != 0 ? "No such process" : errno == ENOENT ? "it is a kernel thread" : std::strerror(errno)};
        std::ifstream file(process + "/maps", std::ios::binary);
        std::vector<Mapping> mappings = parse_maps(std::string(std::istreambuf_iterator<char>(file), {}));
        std::vector<Object> result = {{std::string(program, static_cast<std::size_t>(length)), true}};
        for (Mapping& mapping : mappings) {
            const bool is_known = std::any_of(result.begin(), result.end(), [&](const Object& object) { return object.path == mapping.path; });
            if (mapping.path.front() == '/' && !is_known)
                result.push_back({std::move(mapping.path), false});
        }
        return result;
    }

    std::vector<Function> functions(int64_t pid, const Object& object, std::string_view pattern) override
    {
        std::vector<Function> result;
        for (const ElfSymbols::Symbol& symbol : symbols(pid, object).all())
            if (symbol.is_function && glob_match(pattern, symbol.name))
                result.push_back({symbol.name, symbol.size});
        return result;
    }

private:
    /// By the process's own view of its files: it may live in a container, and its program may have been deleted.
    const ElfSymbols& symbols(int64_t pid, const Object& object)
    {
        const std::string process = "/proc/" + std::to_string(pid);
        const std::string path = object.is_executable ? process + "/exe" : process + "/root" + object.path;
        const auto [entry, is_new] = files_.try_emplace(path);
        if (is_new)
            entry->second = std::make_unique<const ElfSymbols>(path);
        return *entry->second;
    }

    std::map<std::string, std::unique_ptr<const ElfSymbols>> files_;
};

} // namespace

std::unique_ptr<probes::ProcessView> live_processes()
{
    return std::make_unique<LiveProcesses>();
}

} // namespace dt
