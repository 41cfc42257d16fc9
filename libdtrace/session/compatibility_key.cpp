// Table of the facts about this machine on which compiled code depends: the name of each fact and the function that
// returns its value. Compares the facts of this machine with recorded ones.
#include "libdtrace/session/compatibility_key.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "libdtrace/symbols/symbols.hpp"

namespace dt {
namespace {

std::string without_spaces(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](unsigned char each) { return each <= ' ' || each == '='; }, '_');
    return text.empty() ? "-" : text;
}

utsname system_names()
{
    utsname names{};
    uname(&names);
    return names;
}

std::string machine(LiveWorld&)
{
    return system_names().machine;
}

std::string kernel_release(LiveWorld&)
{
    return system_names().release;
}

/// Returns the build id of the kernel. The version alone is not enough, because a kernel may be rebuilt without a new
/// version.
std::string kernel_build(LiveWorld&)
{
    const std::string id = build_id_of_notes("/sys/kernel/notes");
    return id.empty() ? system_names().version : id;
}

std::string possible_cpus(LiveWorld& world)
{
    return std::to_string(world.target().cpus);
}

std::string pid_namespace(LiveWorld& world)
{
    return std::to_string(world.target().pid_namespace_device) + ":" +
           std::to_string(world.target().pid_namespace_inode);
}

std::string tried_features(LiveWorld& world)
{
    const Features& found = world.features();
    return std::string(found.hash_no_prealloc ? "h" : "") + (found.task_pt_regs ? "r" : "") +
           (found.isa_v4 ? "4" : "") + (found.separate_stacks ? "f" : "") + (found.fetching_atomics ? "a" : "") +
           (found.bpf_loop ? "l" : "") + (found.task_storage ? "s" : "") + (found.attach_cookie ? "c" : "") +
           (found.current_task_btf ? "t" : "") + (found.func_ip ? "i" : "") + (found.memory_parameters ? "m" : "") +
           (found.stack_repeats_program ? "p" : "") + (found.long_keys ? "k" : "") +
           (found.kernel_reads ? "" : "-reads");
}

std::string readable_addresses(LiveWorld& world)
{
    return std::to_string(world.readable_cast());
}

std::string physical_packages(LiveWorld& world)
{
    std::string text;
    for (const int32_t chip : world.chips())
        text += (text.empty() ? "" : ",") + std::to_string(chip);
    return text;
}

std::string block_drivers(LiveWorld& world)
{
    std::string text;
    for (const auto& [major, name] : world.block_drivers())
        text += (text.empty() ? "" : ",") + std::to_string(major) + ":" + name;
    return text;
}

std::string this_boot(LiveWorld& world)
{
    std::ifstream file(world.proc() + "/sys/kernel/random/boot_id");
    std::string text;
    std::getline(file, text);
    return text;
}

std::string this_host(LiveWorld& world)
{
    return world.target().host;
}

constexpr struct FactRow {
    std::string_view name;
    std::string (*find)(LiveWorld&);
    /// flag that says whether programs have used this fact; null if every program depends on the fact
    bool LiveWorld::UsedFacts::*asked;
} kFacts[] = {
    {"machine", machine, nullptr},
    {"kernel", kernel_release, nullptr},
    {"build", kernel_build, nullptr},
    {"cpus", possible_cpus, nullptr},
    {"pidns", pid_namespace, nullptr},
    {"features", tried_features, &LiveWorld::UsedFacts::features},
    {"readable", readable_addresses, &LiveWorld::UsedFacts::readable},
    {"chips", physical_packages, &LiveWorld::UsedFacts::chips},
    {"drivers", block_drivers, &LiveWorld::UsedFacts::drivers},
    {"boot", this_boot, &LiveWorld::UsedFacts::addresses},
};
/// Beginning of the name of the fact that identifies the build of a module ("module:ext4"). Modules may be built
/// separately from the kernel.
constexpr std::string_view kModuleFact = "module:";

std::string module_build(std::string_view name)
{
    const std::string path = "/sys/module/" + std::string(name) + "/notes/.note.gnu.build-id";
    return name.find('/') == std::string_view::npos ? build_id_of_notes(path) : std::string();
}

constexpr FactRow kHostFact = {"host", this_host, nullptr};

const FactRow* find_fact(std::string_view name)
{
    const auto found =
        std::find_if(std::begin(kFacts), std::end(kFacts), [name](const FactRow& each) { return each.name == name; });
    return found != std::end(kFacts) ? found : name == kHostFact.name ? &kHostFact : nullptr;
}

/// Returns the value of a fact on this machine, or nothing if no fact has this name.
std::optional<std::string> fact_here(LiveWorld& world, std::string_view name)
{
    if (name.starts_with(kModuleFact))
        return without_spaces(module_build(name.substr(kModuleFact.size())));
    const FactRow* const row = find_fact(name);
    return row ? std::optional(without_spaces(row->find(world))) : std::nullopt;
}

} // namespace

CompatibilityFacts compatibility_facts(LiveWorld& world)
{
    const LiveWorld::UsedFacts asked = world.asked();
    CompatibilityFacts facts;
    for (const FactRow& each : kFacts)
        if (!each.asked || asked.*each.asked)
            facts.emplace_back(each.name, without_spaces(each.find(world)));
    return facts;
}

void add_fact(CompatibilityFacts& facts, LiveWorld& world, std::string_view name)
{
    const auto is_it = [name](const auto& each) { return each.first == name; };
    if (std::any_of(facts.begin(), facts.end(), is_it))
        return;
    if (std::optional<std::string> found = fact_here(world, name))
        facts.emplace_back(name, std::move(*found));
}

std::string text_of(const CompatibilityFacts& facts)
{
    std::string text;
    for (const auto& [name, value] : facts)
        text += (text.empty() ? "" : " ") + name + "=" + value;
    return text;
}

std::string difference_here(LiveWorld& world, std::string_view facts, const CompatibilityFacts& others)
{
    for (std::size_t at = 0; at < facts.size();) {
        const std::size_t end = std::min(facts.find(' ', at), facts.size());
        const std::string_view fact = facts.substr(at, end - at);
        at = end + 1;
        const std::size_t equals = std::min(fact.find('='), fact.size());
        const std::string name(fact.substr(0, equals)), there(fact.substr(std::min(equals + 1, fact.size())));
        const auto other =
            std::find_if(others.begin(), others.end(), [&name](const auto& each) { return each.first == name; });
        const std::string here = other != others.end() ? other->second : fact_here(world, name).value_or("unknown");
        if (here != there)
            return name + " is " + there + " in the bundle, and " + here + " on this machine";
    }
    return {};
}

} // namespace dt
