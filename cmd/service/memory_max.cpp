#include "cmd/service/memory_max.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "libdtrace/consume/system_command.hpp"

namespace dt::service {
namespace {

/// Memory of a service without scripts, of a compilation, and of ended scripts that the kernel has not freed yet.
constexpr uint64_t kOwnMemory = 256 << 20;

/// Quotes the text as one word of the shell.
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
    // The timeout protects the service from a systemd that does not respond, for example while it stops the service.
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
