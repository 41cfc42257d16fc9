// -V: prints the version of the D language. Scripts search for the line "dtrace: NAME D MAJOR.MINOR", so its form is
// fixed.
#include <bpf/libbpf.h>
#include <elfutils/version.h>
#include <sys/utsname.h>
#include <zlib.h>

#include <string>

#include "base/linkage.hpp"
#include "cmd/common/commit.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"

namespace dt::cmd {

namespace {

constexpr std::size_t kFactWidth = 11;

} // namespace

std::vector<std::pair<std::string, std::string>> build_facts()
{
    utsname system{};
    uname(&system);
    const int elfutils = _ELFUTILS_VERSION;
    return {
        {"version", DTRACE_VERSION ", commit " DTRACE_COMMIT},
        {"build", std::string(DTRACE_BUILD) + (is_static() ? ", static" : "")},
        {"machine", std::string(system.sysname) + " " + system.release + " " + system.machine},
        {"libraries", std::string("libbpf ") + (libbpf_version_string() + 1) + ", elfutils " +
                          std::to_string(elfutils / 1000) + "." + std::to_string(elfutils % 1000) + ", zlib " +
                          zlibVersion()},
    };
}

std::string build_name()
{
    return DTRACE_VERSION "-" DTRACE_COMMIT;
}

int version_mode(const Arguments& arguments)
{
    std::string text = arguments.program_name + ": Linux D 2.0\n";
    if (arguments.verbose)
        text += "This is DTrace " DTRACE_VERSION "\ndtrace(8) build: " DTRACE_VERSION
                "\nlibdtrace build: " DTRACE_VERSION "\n";
    for (const auto& [name, value] : build_facts())
        text += name + std::string(kFactWidth - name.size(), ' ') + value + "\n";
    return print_all(arguments, text);
}

} // namespace dt::cmd
