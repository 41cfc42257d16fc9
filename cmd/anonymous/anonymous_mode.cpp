// dtrace -A: saves a program for tracing from boot, or removes the saved one.
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cmd/anonymous/keeper.hpp"
#include "cmd/anonymous/places.hpp"
#include "cmd/anonymous/saved_program.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/consume/system_command.hpp"

namespace dt::cmd {
namespace {

constexpr char kUnit[] = "dtrace-anon.service";

/// Enables or disables the systemd unit that starts tracing at boot. The unit covers only the system's own directory.
bool tell_manager(const std::string& verb)
{
    const Result<int> status =
        run_system_command("systemctl --quiet --no-reload " + verb + " " + kUnit + " >/dev/null 2>&1", STDERR_FILENO);
    return status && WIFEXITED(status.value()) && WEXITSTATUS(status.value()) == 0;
}

void tell_of_initramfs(const Arguments& arguments)
{
    if (access(anonymous::kInitramfsHook, F_OK) == 0)
        say(arguments, "run update-initramfs -u to have it in the initramfs too");
}

} // namespace

int save_anonymous_mode(Command& command)
{
    const Arguments& arguments = command.arguments;
    if (arguments.programs.empty())
        return no_program(command);
    if (!add_programs(command) || !finish_programs(command))
        return kFailure;
    std::vector<std::string> scripts;
    for (const ProgramText& program : arguments.programs)
        if (program.kind == SpecKind::Script) {
            std::optional<Script> script = read_program(arguments, command.trace.options(), program.text);
            if (!script)
                return kFailure;
            scripts.push_back(std::move(script->text));
        }
    const anonymous::Places places = anonymous::places();
    const Result<void> saved =
        anonymous::save_program(anonymous::to_be_saved(arguments, std::move(scripts), places.program), places.program);
    if (!saved) {
        say(arguments, saved.error().message);
        return kFailure;
    }
    say(arguments, "saved anonymous enabling in " + places.program);
    if (!places.is_system)
        return kSuccess;
    say(arguments, tell_manager("enable")
                       ? std::string("enabled ") + kUnit + ": it is traced from the next boot on"
                       : std::string("could not enable ") + kUnit + ": have dtrace --anonymous run early at boot");
    tell_of_initramfs(arguments);
    return kSuccess;
}

int remove_anonymous_mode(const Arguments& arguments)
{
    const anonymous::Places places = anonymous::places();
    const Result<bool> removed = anonymous::remove_saved_program(places.program);
    if (!removed) {
        say(arguments, removed.error().message);
        return kFailure;
    }
    say(arguments, removed.value() ? "cleaned up old anonymous enabling in " + places.program
                                   : "no anonymous enabling was saved in " + places.program);
    if (!places.is_system)
        return kSuccess;
    if (tell_manager("disable"))
        say(arguments, std::string("disabled ") + kUnit);
    if (removed.value())
        tell_of_initramfs(arguments);
    return kSuccess;
}

} // namespace dt::cmd
