#include "cmd/shell/script.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "cmd/shell/scan.hpp"

namespace dt::shell {
namespace {

/// Returns the option letters without values for the #! line, because Linux passes only one word. Options with values
/// become pragmas.
std::string flags(const cmd::Arguments& arguments)
{
    std::string letters;
    for (const cmd::Setting& setting : arguments.settings)
        if (setting.value.empty() && letters.find(setting.letter) == std::string::npos)
            letters += setting.letter;
    return letters;
}

/// Returns a pragma, or a comment if a program may not set the option.
std::string option_line(const std::string& setting)
{
    const auto equals = setting.find('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : std::optional<std::string_view>(std::string_view(setting).substr(equals + 1));
    Options options;
    const bool may = options.set(setting.substr(0, equals), value, OptionSource::Pragma).ok();
    return may ? "#pragma D option " + setting + "\n" : "/* to be run with -x " + setting + " */\n";
}

} // namespace

std::vector<std::string> clauses_of_script(std::string_view text)
{
    if (text.starts_with("#!"))
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    const Scan scanned = scan(text);
    std::vector<std::string> clauses(scanned.items.begin(), scanned.items.end());
    if (scanned.is_open())
        clauses.emplace_back(trimmed(text.substr(scanned.begin)));
    return clauses;
}

std::string script_text(const Workbench& workbench, const cmd::Arguments& arguments)
{
    std::string text = "#!/usr/sbin/dtrace -" + flags(arguments) + "s\n";
    for (const cmd::Setting& setting : arguments.settings)
        if (setting.letter == 'x')
            text += option_line(setting.value);
        else if (!setting.value.empty())
            text += std::string("/* to be run with -") + setting.letter + " " + setting.value + " */\n";
    for (const std::string& option : workbench.set_options())
        text += option_line(option);
    for (const std::string& clause : workbench.clauses())
        text += "\n" + clause + "\n";
    return text;
}

Result<void> save_script(const Workbench& workbench, const cmd::Arguments& arguments, const std::string& path)
{
    errno = 0;
    std::ofstream file(path);
    file << script_text(workbench, arguments);
    file.close();
    if (!file)
        return Error{"cannot write " + path + ": " + std::strerror(errno), errno};
    const mode_t mask = umask(0);
    umask(mask);
    if (chmod(path.c_str(), 0777 & ~mask) != 0)
        return Error{"cannot make " + path + " executable: " + std::strerror(errno), errno};
    return {};
}

} // namespace dt::shell
