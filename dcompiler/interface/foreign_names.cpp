// Derives hints for three kinds of mistakes: syntax of another tracer, components counted from the left, and misspelled
// names. A suggestion is only made if the suggested probe exists.
#include "dcompiler/sema/description_hints.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "dcompiler/foreign_names.hpp"
#include "dcompiler/suggest.hpp"

namespace dt::sema {
namespace {

using Parts = std::vector<std::string>;

/// Returns the components from the left without leading empty ones.
Parts parts_of(const ProbePattern& description)
{
    Parts parts = {description.provider, description.module, description.function, description.name};
    parts.erase(parts.begin(),
                std::find_if(parts.begin(), parts.end(), [](const std::string& part) { return !part.empty(); }));
    return parts;
}

std::string text_of(const ProbePattern& description)
{
    return description.provider + ":" + description.module + ":" + description.function + ":" + description.name;
}

/// Converts bpftrace's form: kind, then the target.
std::string from_bpftrace(const Parts& parts)
{
    const std::string& kind = parts.front();
    const auto is = [&](std::initializer_list<std::string_view> kinds) {
        return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    const bool at_entry = is({"kprobe", "k", "fentry", "kfunc", "f"}),
               at_return = is({"kretprobe", "kr", "fexit", "kretfunc", "fr"});
    if (parts.size() >= 2 && (at_entry || at_return))
        return "fbt::" + parts.back() + (at_entry ? ":entry" : ":return");
    if (parts.size() == 3 && is({"tracepoint", "t"})) {
        constexpr std::string_view kEnter = "sys_enter_", kExit = "sys_exit_";
        if (parts[1] == "syscalls" && parts[2].starts_with(kEnter))
            return "syscall::" + parts[2].substr(kEnter.size()) + ":entry";
        if (parts[1] == "syscalls" && parts[2].starts_with(kExit))
            return "syscall::" + parts[2].substr(kExit.size()) + ":return";
        return "sdt:" + parts[1] + "::" + parts[2];
    }
    if (parts.size() == 3 && is({"interval", "i"}))
        return "tick-" + parts[2] + parts[1];
    if (parts.size() == 3 && is({"profile", "p"}))
        return "profile-" + parts[2] + (parts[1] == "hz" ? "" : parts[1]);
    if (is({"uprobe", "u"}))
        return "pid$target:" + (parts.size() == 3 ? parts[1] : "") + ":" + parts.back() + ":entry";
    if (is({"uretprobe", "ur"}))
        return "pid$target:" + (parts.size() == 3 ? parts[1] : "") + ":" + parts.back() + ":return";
    return {};
}

/// Corrects syscall::read and syscall:read:entry, whose components are misplaced.
std::string from_the_left(const Parts& parts, ProbeSource& probes)
{
    Parts given;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(given),
                 [](const std::string& part) { return !part.empty(); });
    if (given.size() < 2 || given.size() > 3 || !probes.has_provider(given[0]))
        return {};
    std::vector<const Probe*> found;
    ProbePattern meant{given[0], "", given[1], given.size() == 3 ? given[2] : ""};
    if (!probes.find(meant, found) || found.empty())
        return {};
    if (meant.name.empty())
        meant.name = found.front()->name;
    return "parts count from the right: did you mean " + text_of(meant) + "?";
}

/// Explains providers and system calls that Linux lacks or names differently.
std::string from_another_system(const ProbePattern& description, ProbeSource& probes)
{
    if (description.provider == "syscall")
        if (std::string hint(foreign_name(ForeignKind::SystemCall, description.function)); !hint.empty())
            return hint;
    const std::string_view family =
        std::string_view(description.provider).substr(0, description.provider.find_first_of("0123456789*"));
    return probes.has_provider(description.provider) ? std::string()
                                                     : std::string(foreign_name(ForeignKind::Provider, family));
}

/// Corrects sys_read, __x64_sys_read or do_sys_open, which are kernel functions that implement a system call.
std::string from_kernel_function(const ProbePattern& description, ProbeSource& probes)
{
    constexpr std::string_view kSys = "sys_";
    for (const std::string& part : {description.function, description.name}) {
        const std::size_t at = part.find(kSys);
        if (at == std::string::npos || (at != 0 && part[at - 1] != '_' && part[at - 1] != 'k'))
            continue;
        std::vector<const Probe*> found;
        const std::string call = part.substr(at + kSys.size());
        if (call.empty() || call.find_first_of("*?[\\") != std::string::npos ||
            !probes.find({"syscall", "", call, ""}, found) || found.empty())
            continue;
        return "did you mean syscall::" + call + (description.name == "return" ? ":return?" : ":entry?");
    }
    return {};
}

/// Converts fop_read and similar names to Linux's virtual file system functions.
std::string from_file_operation(const ProbePattern& description, ProbeSource& probes)
{
    constexpr std::string_view kOperation = "fop_";
    if (!description.function.starts_with(kOperation))
        return {};
    const std::string function = "vfs_" + description.function.substr(kOperation.size());
    std::vector<const Probe*> found;
    if (probes.find({"fbt", "", function, description.name}, found) && !found.empty())
        return "on Linux that is fbt::" + function + ":" + description.name;
    return "on Linux the functions of files are fbt::vfs_*:";
}

/// Removes "_nocancel": macOS has two forms of some calls.
std::string without_nocancel(const ProbePattern& description)
{
    constexpr std::string_view kForm = "_nocancel";
    if (!description.function.ends_with(kForm))
        return {};
    const std::string call = description.function.substr(0, description.function.size() - kForm.size());
    return "that form is macOS's: on Linux there is syscall::" + call + ":" + description.name;
}

/// Returns the part without leading and trailing stars: read for *read*.
std::string without_stars(std::string_view part)
{
    while (part.starts_with('*'))
        part.remove_prefix(1);
    while (part.ends_with('*'))
        part.remove_suffix(1);
    return std::string(part);
}

/// Replaces one component by similar names that exist in combination with the others.
std::string with_close_name(const ProbePattern& description, ProbeSource& probes)
{
    for (std::string ProbePattern::*const part :
         {&ProbePattern::name, &ProbePattern::function, &ProbePattern::module, &ProbePattern::provider}) {
        const std::string wanted = without_stars(description.*part);
        if (wanted.empty() || wanted.find_first_of("*?[\\") != std::string::npos)
            continue;
        constexpr std::pair<std::string ProbePattern::*, std::string Probe::*> kParts[] = {
            {&ProbePattern::name, &Probe::name},
            {&ProbePattern::function, &Probe::function},
            {&ProbePattern::module, &Probe::module},
            {&ProbePattern::provider, &Probe::provider}};
        const auto of_probe = std::find_if(std::begin(kParts), std::end(kParts), [&](const auto& each) {
                                  return each.first == part;
                              })->second;
        ProbePattern other = description;
        other.*part = "";
        std::vector<const Probe*> found;
        if (!probes.find(other, found))
            continue;
        Nearest nearest(wanted);
        for (const Probe* probe : found)
            nearest.add(probe->*of_probe);
        std::string question;
        for (const std::string& name : nearest.names()) {
            other.*part = name;
            question += (question.empty() ? "did you mean " : ", ") + text_of(other);
        }
        if (!question.empty())
            return question + "?";
    }
    return {};
}

/// Removes the module and function of another system's kernel if a stable provider has the name or a similar one.
std::string with_name_alone(const ProbePattern& description, ProbeSource& probes)
{
    const bool is_alone = description.module.empty() && description.function.empty();
    if (is_alone || description.name.empty() || description.provider == "fbt" || description.provider == "syscall" ||
        !probes.has_provider(description.provider))
        return {};
    std::vector<const Probe*> found;
    const ProbePattern alone{description.provider, "", "", description.name};
    if (probes.find(alone, found) && !found.empty())
        return "module and function are another kernel's: did you mean " + text_of(alone) + "?";
    return with_close_name(alone, probes);
}

/// Explains that functions of built-in modules belong to the kernel's image, which does not distinguish modules.
std::string from_built_in_module(const ProbePattern& description, World& world)
{
    const bool is_name = !description.module.empty() && description.module.find_first_of("*?[\\") == std::string::npos;
    if (description.provider != "fbt" || !is_name || description.module == "vmlinux" ||
        !world.has_module(description.module))
        return {};
    std::vector<const Probe*> found;
    if (world.probes().find({"fbt", description.module, "", ""}, found) && !found.empty())
        return {};
    const std::string function = description.function.empty() ? description.module + "_*" : description.function;
    const std::string hint = description.module + " is built into this kernel, whose functions are all vmlinux's";
    const ProbePattern meant{"fbt", "", function, description.name};
    return world.probes().find(meant, found) && !found.empty() ? hint + ": did you mean " + text_of(meant) + "?" : hint;
}

} // namespace

std::string meant_description(const ProbePattern& description, World& world)
{
    ProbeSource& probes = world.probes();
    const Parts parts = parts_of(description);
    if (parts.empty())
        return {};
    if (const std::string here = from_bpftrace(parts); !here.empty())
        return "that is how bpftrace writes it: in D " + here;
    if (description.name.starts_with("tick-") || description.name.starts_with("profile-"))
        return "a rate is a number and ns, us, ms, s, m, h, d or hz, from 200us to 5000hz";
    if (std::string hint = from_another_system(description, probes); !hint.empty())
        return hint;
    if (std::string hint = without_nocancel(description); !hint.empty())
        return hint;
    if (std::string hint = from_kernel_function(description, probes); !hint.empty())
        return hint;
    if (std::string hint = from_built_in_module(description, world); !hint.empty())
        return hint;
    if (std::string hint = from_the_left(parts, probes); !hint.empty())
        return hint;
    if (std::string hint = probes.why_absent(description); !hint.empty())
        return hint;
    if (std::string hint = from_file_operation(description, probes); !hint.empty())
        return hint;
    if (std::string hint = with_close_name(description, probes); !hint.empty())
        return hint;
    return with_name_alone(description, probes);
}

std::string forgotten_option(std::string_view script)
{
    const std::string_view line = script.substr(0, script.find('\n'));
    const std::size_t flags = line.find(" -");
    const bool has_it = line.starts_with("#!") && flags != line.npos &&
                        line.substr(flags + 2, line.find(' ', flags + 2) - flags - 2).find('Z') != line.npos;
    return has_it ? "its first line has -Z, which lets this pass: give -Z, or run the script by its path" : "";
}

std::string outdated_call(const ProbePattern& description)
{
    if (description.provider != "syscall")
        return {};
    std::string call; // *fork* means fork
    std::copy_if(description.function.begin(), description.function.end(), std::back_inserter(call),
                 [](char c) { return c != '*'; });
    const std::string now(superseding_call(call));
    if (now.empty() || glob_match(description.function, now))
        return {};
    return "programs hardly call " + call + " any more: libraries make " + now + " of it" +
           (now.starts_with(call) ? ", and " + call + "* matches both" : "");
}

std::string foreign_module(const ProbePattern& description, const Probe& probe)
{
    if (foreign_name(ForeignKind::Module, description.module).empty())
        return {};
    const std::string whole = description.provider + ":::" + description.name;
    return probe.module == description.module ? "on Linux that is a part of " + whole : "on Linux that is " + whole;
}

} // namespace dt::sema
