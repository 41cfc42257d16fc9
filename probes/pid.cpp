// pidN:object:function:name. Descriptions are looked up in the process and every mistake in one has its tag (providers reference 10.1).
//
// A right description cannot be attached yet and is answered with D_PROC_CREATEFAIL, never with "does not match".
#include <algorithm>
#include <charconv>
#include <limits>

#include "probes/process_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Object = ProcessView::Object;
using Function = ProcessView::Function;

constexpr std::string_view kFamily = "pid";

Error tagged(const char* tag, std::string message)
{
    return Error{std::move(message), 0, tag};
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

class PidProvider final : public Provider {
public:
    explicit PidProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "pid"; }

    /// A pattern makes no probes, so only a name spelled out to its number is this provider's. Another name that ends in digits (nfsv3) is that of
    /// some other provider.
    bool serves(std::string_view provider) const override
    {
        return is_literal(provider) && provider.size() > kFamily.size() && provider.starts_with(kFamily) && is_digit(provider[kFamily.size()]);
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink&) override
    {
        const std::string& provider = pattern.provider;
        const char* last = provider.data() + provider.size();
        int64_t pid = 0;
        const auto [end, error] = std::from_chars(provider.data() + kFamily.size(), last, pid);
        if (error != std::errc{} || pid > std::numeric_limits<int32_t>::max())
            return {}; // no process can have that number: matches nothing
        if (pid == 0 || end != last)
            return tagged("D_PROC_BADPID", "'" + provider + "' does not contain a valid pid");
        if (kernel_.processes().is_tracer(pid))
            return tagged("D_PROC_DYN", "process " + std::to_string(pid) + " is dtrace itself, which cannot be traced with the pid provider");
        const auto objects = kernel_.processes().objects(pid);
        if (!objects)
            return tagged("D_PROC_GRAB", "failed to grab process " + std::to_string(pid) + ": " + objects.error().message);
        return check(pattern, objects.value());
    }

private:
    Result<void> check(const ProbePattern& pattern, const std::vector<Object>& objects)
    {
        if (pattern.function == "-") {
            if (!pattern.module.empty() && pattern.module != "a.out")
                return tagged("D_PROC_LIB", "only the a.out module is valid with the '-' function");
            if (!is_literal(pattern.name))
                return tagged("D_PROC_NAME", "only single addresses may be given with the '-' function");
        }
        for (const Object& object : objects) {
            if (!is_called(object.path, object.is_executable, pattern.module))
                continue;
            const Result<bool> found = check(pattern, object);
            if (!found)
                return found.error();
            if (found.value())
                return tagged("D_PROC_CREATEFAIL", "failed to create probe " + pattern.provider + ":" + pattern.module + ":" + pattern.function + ":" +
                                                       pattern.name + ": probes inside processes are not implemented (yet)");
        }
        return {};
    }

    /// Does the object have a probe that matches?
    Result<bool> check(const ProbePattern& pattern, const Object& object)
    {
        if (pattern.function == "-")
            return is_point(pattern, {"-", 0});
        const std::vector<Function> functions = kernel_.processes().functions(object, pattern.function);
        if (functions.empty() && is_literal(pattern.function) && is_literal(pattern.module))
            return tagged("D_PROC_FUNC", "failed to lookup '" + pattern.function + "' in module '" + pattern.module + "'");
        for (const Function& function : functions) {
            const Result<bool> point = is_point(pattern, function);
            if (!point || point.value())
                return point;
        }
        return false;
    }

    /// Does the name stand for a place in the function?
    static Result<bool> is_point(const ProbePattern& pattern, const Function& function)
    {
        const std::string& name = pattern.name;
        if (!is_literal(name) || name == "entry" || name == "return")
            return true;
        uint64_t offset = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), offset, 16);
        const bool lower = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'F'; });
        if (error != std::errc{} || end != name.data() + name.size() || !lower)
            return tagged("D_PROC_NAME", "invalid probe name '" + name + "': not entry, return or an offset in hexadecimal");
        if (function.size == 0 || offset < function.size)
            return true;
        if (!is_literal(pattern.function))
            return false;
        return tagged("D_PROC_OFF", "offset 0x" + name + " is outside of function '" + function.name + "'");
    }

    KernelView& kernel_;
};

} // namespace

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

std::unique_ptr<Provider> make_pid_provider(KernelView& kernel)
{
    return std::make_unique<PidProvider>(kernel);
}

} // namespace dt::probes
