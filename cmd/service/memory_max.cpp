#include "cmd/service/memory_max.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "libdtrace/consume/system_command.hpp"

namespace dt::service {
namespace {

/// What a service has without scripts, what compiling takes for a while, and what the kernel has not given back yet of
/// a script that has ended.
constexpr uint64_t kOwnMemory = 256 << 20;

/// As a word of the shell.
std::string quoted_for_shell(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace

void MemoryMax::lift()
{
    tell("infinity");
}

void MemoryMax::set(uint64_t scripts)
{
    tell(std::to_string(scripts + kOwnMemory));
}

void MemoryMax::tell(const std::string& value)
{
    if (unit_.empty() || told_ == value)
        return;
    // A manager that does not answer must not hold the service, which it may be about to end.
    const Result<int> status = run_system_command("exec timeout 5 systemctl set-property --runtime -- " +
                                                      quoted_for_shell(unit_) + " MemoryMax=" + value,
                                                  STDERR_FILENO);
    if (status && WIFEXITED(status.value()) && WEXITSTATUS(status.value()) == 0) {
        told_ = value;
        return;
    }
    say_("cannot set MemoryMax of " + unit_ + (status ? "" : ": " + status.error().message) +
         "; its memory has the bound that it has");
    unit_.clear();
}

} // namespace dt::service
