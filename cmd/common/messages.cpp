// Writes messages, and applies command-line settings to options. Each line is written by a single system call, so that
// lines of several processes do not mix.
#include "cmd/common/messages.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "dcompiler/interface/render.hpp"

namespace dt::cmd {

int print_all(const Arguments& arguments, const std::string& text)
{
    if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0)
        return kSuccess;
    print_message(arguments, std::string("cannot write output: ") + std::strerror(errno));
    return kFailure;
}

void print_message(const Arguments& arguments, std::string_view text)
{
    const std::string line = arguments.program_name + ": " + printable(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_verifier_log(const std::string& log)
{
    for (std::size_t start = 0; start < log.size();) {
        const std::size_t end = std::min(log.find('\n', start), log.size());
        std::fprintf(stderr, "BPF: %.*s\n", static_cast<int>(end - start), log.data() + start);
        start = end + 1;
    }
}

// Maps option letters to options of -x.

namespace {

constexpr struct {
    char letter;
    const char* option;
    bool value; ///< whether the letter takes a value, which becomes the value of the -x option
} kLetters[] = {
    {'b', "bufsize", true},      {'C', "cpp", false},   {'D', "define", true}, {'F', "flowindent", false},
    {'H', "cpphdrs", false},     {'I', "incdir", true}, {'L', "libdir", true}, {'q', "quiet", false},
    {'S', "verbose", false},     {'U', "undef", true},  {'X', "stdc", true},   {'Z', "zdefs", false},
    {'w', "destructive", false},
};

Error failed(char letter, std::string_view what, const Error& reason)
{
    return {std::string("failed to set -") + letter + " " + std::string(what) + ": " + reason.message, reason.code};
}

Result<void> apply(const Setting& setting, Options& options)
{
    if (setting.letter == 'x') {
        const auto equals = setting.value.find('=');
        const std::string name = setting.value.substr(0, equals);
        const auto value = equals == std::string::npos
                               ? std::nullopt
                               : std::optional<std::string_view>(std::string_view(setting.value).substr(equals + 1));
        const Result<void> result = options.set(name, value, OptionSource::CommandLine);
        if (result)
            return result;
        Error error = failed('x', name, result.error());
        if (const std::string meant = Options::meant(name); !meant.empty())
            error.message += "\n\t" + meant;
        return error;
    }
    if (setting.letter == '3' || setting.letter == '6')
        options.set_data_model(setting.letter == '3' ? DataModel::Ilp32 : DataModel::Lp64);
    for (const auto& entry : kLetters) {
        if (entry.letter != setting.letter)
            continue;
        const Result<void> result =
            options.set(entry.option, entry.value ? std::optional<std::string_view>(setting.value) : std::nullopt,
                        OptionSource::CommandLine);
        return result ? result : failed(setting.letter, setting.value, result.error());
    }
    return {};
}

} // namespace

Result<void> apply_settings(const std::vector<Setting>& settings, Options& options)
{
    for (const Setting& setting : settings)
        if (Result<void> result = apply(setting, options); !result)
            return result;
    return {};
}

} // namespace dt::cmd
