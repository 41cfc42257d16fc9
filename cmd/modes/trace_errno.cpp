// --trace-errno: finds the kernel function in which an error began.
//
// A failing call only returns an errno. Some function below the call created it, and all callers passed it on.
// An errno is a small negative constant in the code of the function that creates it. So only functions with that
// constant are traced (some hundreds of many thousands), and only in the calling thread during the call.
// The first function that returns the error records its arguments and stack speculatively. If a caller handles the
// error, the speculation is discarded. If the call returns the error, the last speculation is committed.
#include "cmd/modes/trace_errno.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "dcompiler/sema/checker/checker.hpp"
#include "libdtrace/kernel/kernel_functions.hpp"
#include "machine/machine.hpp"

namespace dt::cmd {
namespace {

constexpr std::string_view kWanted = "--trace-errno needs a return probe and the error that the call returns, as in "
                                     "--trace-errno 'syscall::openat:return /errno == EACCES/'";

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

/// Returns the number after "errno ==", given as digits or as a name.
std::optional<int32_t> error_in(std::string_view predicate)
{
    const std::size_t word = predicate.find("errno");
    if (word == std::string_view::npos)
        return {};
    std::string_view rest = trimmed(predicate.substr(word + std::string_view("errno").size()));
    if (!rest.starts_with("=="))
        return {};
    rest = trimmed(rest.substr(2));
    const auto ends = std::find_if(rest.begin(), rest.end(), [](unsigned char c) { return !std::isalnum(c); });
    const std::string_view name = rest.substr(0, static_cast<std::size_t>(ends - rest.begin()));
    int32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size())
        number = static_cast<int32_t>(sema::find_constant(name, machine::native()).value_or(0));
    return number > 0 && number <= kHighestError ? std::optional(number) : std::nullopt;
}

/// Returns the probe descriptions for all these functions, as the head of a clause.
std::string probes_of(const std::vector<std::string>& functions, std::string_view name)
{
    std::string text;
    for (const std::string& function : functions)
        text += (text.empty() ? "" : ",\n") + ("fbt::" + function + ":") + std::string(name);
    return text + "\n";
}

} // namespace

Result<FailedCall> read_failed_call(std::string_view text)
{
    const std::size_t slash = text.find('/'), last = text.rfind('/');
    const std::string_view probe = trimmed(text.substr(0, slash));
    constexpr std::string_view kReturn = ":return";
    if (slash == last || !trimmed(text.substr(last + 1)).empty() || !probe.ends_with(kReturn))
        return Error{std::string(kWanted)};
    const std::string_view predicate = trimmed(text.substr(slash + 1, last - slash - 1));
    const std::optional<int32_t> number = error_in(predicate);
    if (!number)
        return Error{std::string(kWanted)};
    return FailedCall{std::string(probe.substr(0, probe.size() - kReturn.size())), std::string(predicate), *number};
}

std::string program_of(const FailedCall& call, const std::vector<std::string>& functions, bool is_of_process)
{
    const std::string begins = call.probe + ":entry\n", ends = call.probe + ":return\n";
    const std::string entries = probes_of(functions, "entry"), returns = probes_of(functions, "return");
    const std::string error = std::to_string(call.error);
    std::string text = R"(#pragma D option quiet
#pragma D option zdefs
self int64_t first[int64_t], second[int64_t], third[int64_t];
self int64_t asked, level, found, spec;

)";
    text += begins + (is_of_process ? "/progenyof($target)/\n" : "");
    text += R"({
	self->asked = 1;
	self->level = self->found = self->spec = 0;
}

)" + entries +
            R"(/self->asked/
{
	self->level++;
	self->first[self->level] = arg0;
	self->second[self->level] = arg1;
	self->third[self->level] = arg2;
}

)" + returns +
            R"(/self->asked/
{
	this->fails = (int)arg1 == -)" +
            error + R"(;
	this->first = this->fails && self->level >= self->found;
	if (self->spec && (this->first || self->found > self->level && !this->fails)) {
		discard(self->spec);
		self->spec = self->found = 0;
	}
	if (this->first) {
		self->spec = speculation();
		self->found = self->level;
	}
}

)" + returns +
            R"(/self->asked && this->first/
{
	speculate(self->spec);
	printf("  %s(0x%x, 0x%x, 0x%x) returned %d:", probefunc, self->first[self->level],
	    self->second[self->level], self->third[self->level], (int)arg1);
	stack();
}

)" + returns +
            R"(/self->asked/
{
	self->level--;
}

)" + ends + "/self->asked && (" +
            call.predicate + R"()/
{
	printf("%s[%d]: %s failed with %d%s\n", execname, pid, probefunc, errno,
	    self->spec ? "" : ": no kernel function that could be probed returned this error first");
}

)" + ends + "/self->asked && self->spec && (" +
            call.predicate + R"()/
{
	commit(self->spec);
	self->spec = 0;
}

)" + ends + R"(/self->asked && self->spec/
{
	discard(self->spec);
}

)" + ends + R"(/self->asked/
{
	self->asked = 0;
}
)";
    return text;
}

int trace_errno_mode(Command& command)
{
    const Result<FailedCall> call = read_failed_call(command.arguments.failed_call);
    if (!call) {
        print_message(command.arguments, call.error().message);
        return kUsage;
    }
    probes::KernelView& kernel = command.session.world().kernel();
    if (!kernel.has_kprobes()) {
        print_message(command.arguments,
                      "--trace-errno needs kprobes, and this kernel was built without them (CONFIG_KPROBES); --doctor "
                      "shows what it supports");
        return kFailure;
    }
    const auto functions = functions_that_make(kernel, command.session.world().proc(), -call.value().error);
    if (!functions || functions.value().empty()) {
        print_message(command.arguments, functions ? "no kernel function contains that error number in its code"
                                                   : functions.error().message);
        return kFailure;
    }
    Arguments arguments = command.arguments;
    arguments.programs = {
        {SpecKind::Script, "--trace-errno", program_of(call.value(), functions.value(), !arguments.processes.empty())}};
    Command asked{arguments, command.session, command.trace, command.output, command.timing, command.signals};
    return run_mode(asked);
}

} // namespace dt::cmd
