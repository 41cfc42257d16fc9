// Options from the environment: DTRACE_OPT_BUFSIZE=8m is -x bufsize=8m, only weaker and without complaints.
#include <algorithm>
#include <cctype>

#include "libdtrace/session/session.hpp"

namespace dt {

void set_options_from_environment(Options& options, const char* const* environment)
{
    static constexpr std::string_view kPrefix = "DTRACE_OPT_";
    for (; environment && *environment; ++environment) {
        std::string_view variable = *environment;
        const auto equals = variable.find('=');
        if (variable == "DTRACE_DEBUG" || variable.starts_with("DTRACE_DEBUG=")) {
            options.debug = true;
            continue;
        }
        if (!variable.starts_with(kPrefix) || equals == std::string_view::npos)
            continue;
        std::string name(variable.substr(kPrefix.size(), equals - kPrefix.size()));
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        [[maybe_unused]] const Result<void> ignored = options.set(name, variable.substr(equals + 1), OptionSource::Environment);
    }
}

} // namespace dt
