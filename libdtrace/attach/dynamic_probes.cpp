// Implements the updates of a running trace: reads mapping events first, then looks up the probe descriptions, and
// compiles only if there are new probe locations.
#include "libdtrace/attach/dynamic_probes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/proc_file.hpp"
#include "bpf-runtime/embedded.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/mappings/loaded_objects.hpp"
#include "libdtrace/usdt/file_probes.hpp"
#include "probes/process_view.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxParts = 512; // maximum number of objects that are added to a run

bool is_same(const Datum& a, const Datum& b)
{
    return a.kind == b.kind && a.offset == b.offset && a.size == b.size;
}

bool is_same(const Record& a, const Record& b)
{
    return a.action == b.action && a.guard == b.guard && a.format == b.format &&
           std::equal(a.data.begin(), a.data.end(), b.data.begin(), b.data.end(),
                      [](const Datum& x, const Datum& y) { return is_same(x, y); });
}

bool is_same(const StatementSchema& a, const StatementSchema& b)
{
    return a.data_size == b.data_size && a.guard_offset == b.guard_offset &&
           std::equal(a.records.begin(), a.records.end(), b.records.begin(), b.records.end(),
                      [](const Record& x, const Record& y) { return is_same(x, y); });
}

/// Returns whether the statement is unused: no probe of the object records data for it.
bool is_empty(const StatementSchema& schema)
{
    return schema.data_size == 0 && schema.records.empty();
}

bool is_same(const AggregationSchema& a, const AggregationSchema& b)
{
    return a.function == b.function && a.key_size == b.key_size && a.words == b.words && a.map == b.map &&
           a.offset == b.offset && a.overflow_map == b.overflow_map && a.short_keys_map == b.short_keys_map &&
           a.digested == b.digested &&
           std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                      [](const Datum& x, const Datum& y) { return is_same(x, y); });
}

std::string provider_of(const Statement& statement)
{
    return statement.description.substr(0, statement.description.find(':'));
}

/// Returns the build ID in a provider such as pid@ID or shop@ID, or an empty string.
std::string build_id_in(const std::string& provider)
{
    const std::string id = provider.substr(std::min(provider.size(), provider.find('@')));
    return probes::is_build_id(std::string_view(id).substr(id.empty() ? 0 : 1)) ? id.substr(1) : std::string();
}

/// Returns the device and inode number that identify a file.
probes::ProcessView::Identity numbers_of_file(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? probes::ProcessView::Identity{status.st_dev, status.st_ino}
                                            : probes::ProcessView::Identity{};
}

/// Returns whether the statement matches only probes that processes register by name at run time.
bool is_reported_by_process(const Statement& statement)
{
    return !statement.probes.empty() && std::all_of(statement.probes.begin(), statement.probes.end(),
                                                    [](const Probe* probe) { return probe->reported_by_process; });
}

/// Returns whether the statement may match probes of any process. A provider such as shop* may do so, unless it also
/// matches other kinds of probes.
bool may_be_anywhere(const Statement& statement)
{
    const std::string provider = provider_of(statement);
    if (!build_id_in(provider).empty())
        return true;
    return provider.ends_with('*') && provider.find_first_of("*?[") != 0 &&
           std::all_of(statement.probes.begin(), statement.probes.end(), [](const Probe* probe) {
               return probe->provider.ends_with('*') ||
                      std::isdigit(static_cast<unsigned char>(probe->provider.back()));
           });
}

/// Returns whether the statement can match probes in processes that start later. A pid probe, for example, matches only
/// in the process that it names.
bool is_for_later(const Statement& statement)
{
    return statement.probes.empty() ||
           std::any_of(statement.probes.begin(), statement.probes.end(), [](const Probe* probe) {
               return probe->provider.ends_with('*') || !build_id_in(probe->provider).empty();
           });
}

} // namespace

/// An object compiled for dynamic probes, with its options. Also contains the compiler, because the schema refers to
/// its data.
struct DynamicProbes::Part {
    Options options;
    std::unique_ptr<Compiler> compiler;
    Object object;
    std::optional<LoadedObject> loaded;
};

bool DynamicProbes::may_follow(const Program& program, const Processes& processes)
{
    const std::vector<pid_t> pids = processes.pids();
    return std::any_of(program.statements.begin(), program.statements.end(), [&](const Statement& statement) {
        const std::string provider = provider_of(statement);
        if (is_reported_by_process(statement))
            return false;
        if (may_be_anywhere(statement))
            return true;
        const bool is_pattern = provider.find_first_of("*?[") != std::string::npos;
        return !pids.empty() && (is_pattern || std::any_of(pids.begin(), pids.end(), [&](pid_t pid) {
                                     return provider.ends_with(std::to_string(pid));
                                 }));
    });
}

bool DynamicProbes::names_processes(const Program& program, const Processes& processes)
{
    const std::vector<pid_t> pids = processes.pids();
    return std::any_of(program.statements.begin(), program.statements.end(), [&](const Statement& statement) {
        const std::string provider = provider_of(statement);
        const bool is_pattern = provider.find_first_of("*?[") != std::string::npos;
        return !is_pattern && !is_reported_by_process(statement) &&
               std::any_of(pids.begin(), pids.end(),
                           [&](pid_t pid) { return provider.ends_with(std::to_string(pid)); });
    });
}

DynamicProbes::DynamicProbes(TraceContext running)
    : context_(running), probes_(running.world, running.processes, running.program, hooked_),
      world_(running.world, probes_)
{
    for (const ProgramPlan& program : context_.first.schema.programs)
        if (is_in_process(*program.plan)) {
            hooked_.add_new(*program.plan);
            if (program.plan->is_enabled_probe)
                hooked_.add_new(*program.plan->is_enabled_probe);
        }
    std::set<std::string> covering;
    for (const Statement& statement : context_.program.statements)
        if (may_be_anywhere(statement)) {
            if (const std::string id = build_id_in(provider_of(statement)); !id.empty())
                build_ids_.insert(id);
            else
                everywhere_.push_back(provider_of(statement));
            if (is_for_later(statement))
                covering.insert(statement.description);
        }
    events_.open();
    const std::vector<pid_t> pids = context_.processes.pids();
    is_tree_ = std::any_of(pids.begin(), pids.end(), [&](pid_t pid) { return context_.processes.is_followed(pid); });
    if (!covering.empty() && !is_tree_)
        coverage_.emplace(context_.world.proc(), std::move(covering)).begin(context_.program, context_.first.schema);
    for (const pid_t pid : pids)
        if (!context_.processes.is_held(pid)) {
            changed_.insert(pid); // the process may have mapped files since it was last checked
            leaders_.try_emplace(pid, Leader::Suspected);
        }
}

DynamicProbes::~DynamicProbes() = default;

bool DynamicProbes::is_ours(pid_t pid) const
{
    return context_.processes.is_one(pid) || context_.followed.contains(pid);
}

/// Returns whether a description matches probes in the file in every process that maps it: by the file's build ID, or
/// by the probes that the file contains.
bool DynamicProbes::is_meant(const MappingEvent& event, const std::string& path) const
{
    if (!build_ids_.empty() && build_ids_.contains(event.build_id.empty() ? build_id_text(build_id_of_untrusted(path))
                                                                          : build_id_text(event.build_id)))
        return true;
    const std::vector<probes::UserProbe> found =
        everywhere_.empty() ? std::vector<probes::UserProbe>()
                            : usdt::read_file_probes(*context_.world.untrusted_files(), path).probes;
    return std::any_of(found.begin(), found.end(), [&](const probes::UserProbe& probe) {
        return std::any_of(everywhere_.begin(), everywhere_.end(),
                           [&](const std::string& pattern) { return glob_match(pattern, probe.provider + "*"); });
    });
}

/// Returns whether the event maps a file for the first time since the trace began and descriptions match the file in
/// all processes.
bool DynamicProbes::is_new_to_all(const MappingEvent& event)
{
    if ((everywhere_.empty() && build_ids_.empty()) || event.pid == getpid())
        return false;
    const std::string name = event.path + '\n' + std::to_string(event.inode) + event.build_id;
    if (!known_files_.insert(name) && !copied_.contains(name))
        return false;
    const std::string own = process_folder(context_.world.proc(), event.pid) + "/root" + event.path;
    const probes::ProcessView::Identity file = numbers_of_file(own), here = numbers_of_file(event.path);
    // A process in a container may see another file at the same path, so the path below the process's root is tried
    // first. If no file exists there, the file may have been deleted already.
    const bool is_elsewhere = file[1] != 0 && file != here;
    const std::string& path = is_elsewhere ? own : event.path;
    const auto& numbers = is_elsewhere ? file : here;
    if (!known_files_.insert(name + '\n' + std::to_string(numbers[0]) + ':' + std::to_string(numbers[1])) ||
        !is_meant(event, path))
        return false;
    copied_.insert(name);
    context_.processes.add_later_file(path);
    return true;
}

/// Handles the end of a process's first thread. The kernel uses the first thread to identify the process to which a
/// probe is limited. If another thread has replaced the first one by exec, such a probe never fires again.
void DynamicProbes::follow_leader(const MappingEvent& event)
{
    using Kind = MappingEvent::Kind;
    const pid_t pid = event.pid;
    if (!context_.processes.is_one(pid) || context_.processes.is_followed(pid))
        return;
    const auto known = leaders_.find(pid);
    if (event.kind == Kind::LeaderExit || event.kind == Kind::Exit) {
        if (known == leaders_.end() || known->second == Leader::Suspected)
            leaders_[pid] = Leader::Ending;
    } else if (event.kind == Kind::Exec && known != leaders_.end()) {
        const Leader former = known->second;
        leaders_.erase(known);
        if (former == Leader::Ending || former == Leader::Outlived)
            hook_again(pid);
    }
}

/// Adapts the probes of processes whose first thread has ended (docs/process-end.md). The kernel may report the end
/// before the thread loses its memory, so a process is checked again until then.
void DynamicProbes::leave_leaders()
{
    for (auto each = leaders_.begin(); each != leaders_.end();) {
        auto& [pid, leader] = *each;
        const bool is_open = leader == Leader::Suspected || leader == Leader::Ending;
        if (is_open && thread_with_memory(context_.world.proc(), pid) != pid)
            leader = leave_leader(pid);
        const bool has_ended = leader == Leader::Ending && !context_.processes.is_running(pid);
        each = has_ended || leader == Leader::Suspected ? leaders_.erase(each) : std::next(each);
    }
}

/// Makes the process's probes fire although its first thread has ended. If the kernel compares address spaces at each
/// firing, the process's hooks are replaced by hooks for all processes. Otherwise the process's own hooks stay
/// attached.
DynamicProbes::Leader DynamicProbes::leave_leader(pid_t pid)
{
    if (is_limited(pid, true)) {
        hook_again(pid);
        return Leader::Replaced;
    }
    if (!is_limited(pid, false))
        // no hook is limited to the process: its first thread had ended before the hooks were planned
        return Leader::Replaced;
    if (const int code = context_.outlive_leader(pid); code != 0)
        problems_.push_back("calls in process " + std::to_string(pid) +
                            " may be missed, because its first thread has ended: " + std::strerror(code));
    return Leader::Outlived;
}

/// Returns whether a program was attached only to the given process. If `by_memory` is set, considers only programs
/// that stop firing when the first thread ends.
bool DynamicProbes::is_limited(pid_t pid, bool by_memory) const
{
    const std::vector<ProgramPlan>& programs = context_.first.schema.programs;
    return std::any_of(programs.begin(), programs.end(), [&](const ProgramPlan& program) {
        const std::vector<AttachTarget>& targets = program.plan->targets;
        return (!by_memory || program.plan->kind_info().per_address_space) &&
               std::any_of(targets.begin(), targets.end(),
                           [pid](const AttachTarget& target) { return target.process == pid; });
    });
}

/// Detaches the process's probes and looks up all their locations again. The old attachments must be removed, because
/// they would fire in addition to the new ones.
void DynamicProbes::hook_again(pid_t pid)
{
    context_.detach(pid);
    const std::string number = std::to_string(pid);
    hooked_.forget([&](const Probe& probe) {
        const std::size_t digits = probe.provider.find_last_not_of("0123456789") + 1;
        return probe.provider.compare(digits, std::string::npos, number) == 0;
    });
    changed_.insert(pid);
}

bool DynamicProbes::has_news()
{
    events_.take([&](const MappingEvent& event) {
        if (event.kind == MappingEvent::Kind::Lost)
            for (const pid_t pid : context_.processes.pids()) {
                changed_.insert(pid);
                leaders_.try_emplace(pid, Leader::Suspected);
            }
        const bool is_new = event.kind == MappingEvent::Kind::Map && is_new_to_all(event);
        if (is_new || (event.kind == MappingEvent::Kind::Map && is_ours(event.pid)))
            changed_.insert(event.pid);
        follow_leader(event);
        if (is_tree_)
            context_.abandoned_calls.see(event);
        if (coverage_)
            coverage_->take(event, is_new);
    });
    leave_leaders();
    if (context_.processes.has_stopped_threads())
        for (const MappingGate::StoppedThread& held : context_.processes.stopped_threads())
            changed_.insert(held.process);
    return !changed_.empty() || !problems_.empty();
}

DynamicProbes::Update DynamicProbes::update(const probes::AttachOptions& how)
{
    Update update;
    if (!has_news())
        return update;
    update.problems = std::exchange(problems_, {});
    const std::set<pid_t> changed = std::exchange(changed_, {});
    if (changed.empty())
        return update;
    if (parts_.size() >= kMaxParts) {
        if (!std::exchange(is_full_, true))
            update.problems.push_back(
                "libraries and programs that are loaded from now on are not traced: the limit of " +
                std::to_string(kMaxParts) + " additions to this trace is reached");
        return update;
    }
    for (const pid_t pid : changed)
        if (is_ours(pid))
            // loads the pages of data that probes read, because a BPF program cannot load a missing page
            prefault_data(context_.world.proc(), pid);
    context_.processes.set_followers(context_.followed.followers());
    while (probes_.find_new(context_.program)) {
        std::optional<ProgramKind> refused;
        const Result<void> added = add(how, update, refused);
        if (!added && !refused)
            update.problems.push_back("cannot trace a library or program that was loaded after the start: " +
                                      added.error().message);
        if (!refused)
            break;
        // The new plan attaches the same locations without the refused kind of program. So these locations no longer
        // count as attached.
        hooked_.undo();
        update.attachments.release();
        context_.world.probes().refuse(*refused);
    }
    return update;
}

Result<void> DynamicProbes::add(const probes::AttachOptions& how, Update& update, std::optional<ProgramKind>& refused)
{
    auto compiled = compile();
    if (!compiled)
        return compiled.error();
    Part& part = *compiled.value();
    if (!fits(part))
        return Error{"its records would not have the layout of the running trace's records", EINVAL};
    std::vector<const Source*> sources;
    for (const ProgramTexts::Text& text : context_.texts.programs)
        sources.push_back(text.source);
    std::vector<const LoadedObject*> others{&context_.loaded};
    for (const std::unique_ptr<Part>& other : parts_)
        others.push_back(&*other->loaded);
    std::string log;
    auto loaded =
        LoadedObject::load(part.object, part.options, world_.probes(), world_.target().cpus, sources, log, {others});
    if (!loaded)
        return loaded.error();
    part.loaded.emplace(std::move(loaded.value()));
    StartReport report;
    const auto attach = [&]() -> Result<void> {
        const std::lock_guard lock(context_.switching_off);
        return Attacher(part.object, *part.loaded, part.compiler->program(), context_.world.probes(),
                        context_.world.cache(), context_.losses, report, update.attachments)
            .attach(how, {}, refused);
    };
    const Result<void> attached = attach();
    if (refused)
        return attached;
    if (coverage_)
        coverage_->hook(part.compiler->program(), part.object.schema);
    join(part);
    for (const StartReport::Refused& each : report.refused)
        update.problems.push_back("cannot attach " + each.probe->full_name() + ": " + each.reason);
    update.added = &*part.loaded;
    update.schema = &part.object.schema;
    parts_.push_back(std::move(compiled.value()));
    return attached;
}

Result<std::unique_ptr<DynamicProbes::Part>> DynamicProbes::compile()
{
    auto part = std::make_unique<Part>();
    part->options = context_.texts.options;
    // Sets option zdefs, which permits descriptions without probes: each description matched probes at the start, but
    // need not match new ones.
    part->options.put("zdefs");
    part->compiler = std::make_unique<Compiler>(world_, part->options);
    const auto failed = [&]() -> Error {
        const auto& list = part->compiler->diagnostics().list();
        return {list.empty() ? "the program cannot be compiled again" : list.front().message, EINVAL};
    };
    Macros of_libraries = context_.texts.programs.front().macros;
    of_libraries.arguments.clear();
    if (!part->compiler->add_libraries(*context_.texts.libraries, of_libraries))
        return failed();
    for (const ProgramTexts::Text& text : context_.texts.programs)
        if (!part->compiler->add(*text.source, text.kind, text.macros))
            return failed();
    ObjectParts parts{true, true, context_.first.schema.names, {}};
    for (const ProgramPlan& program : context_.first.schema.programs)
        parts.programs.insert(program.name);
    auto object = part->compiler->finish(embedded_runtime(), parts);
    if (!object)
        return object.error();
    part->object = std::move(object.value());
    return part;
}

/// Returns whether the variables and maps that all objects share have the same layout in the new object (`part`) as in
/// the first object.
bool DynamicProbes::fits(const Part& part) const
{
    const Schema& all = context_.first.schema;
    const Schema& added = part.object.schema;
    return std::equal(all.aggregations.begin(), all.aggregations.end(), added.aggregations.begin(),
                      added.aggregations.end(),
                      [](const AggregationSchema& a, const AggregationSchema& b) { return is_same(a, b); }) &&
           std::equal(all.statements.begin(), all.statements.end(), added.statements.begin(), added.statements.end(),
                      [](const StatementSchema& a, const StatementSchema& b) {
                          return is_empty(a) || is_empty(b) || is_same(a, b);
                      });
}

/// Merges the new object's schema into the schema of the first object, because the consumer uses only one schema.
void DynamicProbes::join(const Part& part)
{
    Schema& all = context_.first.schema;
    const Schema& added = part.object.schema;
    for (std::size_t i = 0; i < all.statements.size(); ++i) {
        const std::set<uint32_t>& code_of = added.statements[i].code_of;
        if (is_empty(all.statements[i]))
            all.statements[i] = added.statements[i];
        else
            all.statements[i].code_of.insert(code_of.begin(), code_of.end());
    }
    all.names = added.names;
    uint32_t functions = 0;
    for (const ProgramPlan& program : all.programs)
        functions = std::max(functions, program.end_function);
    for (const FaultPlace& place : all.faults)
        functions = std::max(functions, place.function + 1);
    for (FaultPlace place : added.faults) {
        place.function += functions;
        all.faults.push_back(place);
    }
    for (ProgramPlan program : added.programs) {
        program.first_function += functions;
        program.end_function += functions;
        all.programs.push_back(std::move(program));
    }
    all.kernel_stacks |= added.kernel_stacks;
    all.largest_sample = std::max(all.largest_sample, added.largest_sample);
}

} // namespace dt
