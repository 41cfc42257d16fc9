// Reads options from the environment. DTRACE_OPT_BUFSIZE=8m has the meaning of -x bufsize=8m, with lower precedence.
#include <algorithm>
#include <cctype>

#include "libdtrace/trace/session.hpp"

namespace dt {

Result<void> set_options_from_environment(Options& options, const char* const* environment)
{
    static constexpr std::string_view kPrefix = "DTRACE_OPT_";
    for (; environment && *environment; ++environment) {
        std::string_view variable = *environment;
        const auto equals = variable.find('=');
        if (variable == "DTRACE_DEBUG" || variable.starts_with("DTRACE_DEBUG=")) {
            options.put("debug");
            continue;
        }
        if (variable.starts_with("DTRACE_CHECK_FIRINGS=") && equals + 1 != variable.size()) {
            options.check_firings();
            continue;
        }
        if (!variable.starts_with(kPrefix) || equals == std::string_view::npos)
            continue;
        std::string name(variable.substr(kPrefix.size(), equals - kPrefix.size()));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (const Result<void> set = options.set(name, variable.substr(equals + 1), OptionSource::Environment); !set) {
            const std::string meant = Options::meant(name);
            return Error{"failed to set " + std::string(variable.substr(0, equals)) + ": " + set.error().message +
                             (meant.empty() ? "" : "\n\t" + meant),
                         set.error().code};
        }
    }
    return {};
}

} // namespace dt
