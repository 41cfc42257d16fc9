// Attributes the kernel's counts of abandoned calls to probes. This is done before each change of the recorded
// mappings, because after the change the same addresses may belong to other functions.
#include "libdtrace/attach/abandoned_calls.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/proc_file.hpp"
#include "bpf-runtime/embedded.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr const char* kUnwoundProgram = "dt_abandoned_calls";
constexpr const char *kAbandonedCalls = "abandoned_calls", *kThreadsByTask = "abandoned_threads",
                     *kThreadsById = "abandoned_by_id",
                     *kAbandonedLosses = ".data.abandoned"; // names of maps in the object that counts abandoned calls
constexpr std::size_t kMaxListedFunctions = 16; // maximum number of functions named in the notes for the user

/// Returns the map of a data section in libbpf's object, or null. The name of the map ends with the name of the
/// section.
bpf_map* unwound_section(const bpf_object* object, std::string_view section)
{
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) if (std::string_view(bpf_map__name(map)).ends_with(section)) return map;
    return nullptr;
}

/// Makes the programs of `object` use `theirs`, a map of the trace, instead of the object's own map `name`. Returns
/// whether this succeeded.
bool share_run_map(bpf_object* object, const char* name, const LoadedMap* theirs)
{
    bpf_map* const own = bpf_object__find_map_by_name(object, name);
    return !theirs || (own && bpf_map__reuse_fd(own, theirs->descriptor) == 0);
}

uint64_t first_argument()
{
    return 8 * machine::native().calls.arguments[0];
}

std::string calls_text(uint64_t count, const char* how)
{
    return std::to_string(count) + (count == 1 ? " call" : " calls") + " ended " + how;
}

} // namespace

AbandonedCalls::AbandonedCalls(std::string proc) : proc_(std::move(proc)) {}

AbandonedCalls::~AbandonedCalls() = default;

void AbandonedCalls::Close::operator()(bpf_object* object) const
{
    bpf_object__close(object);
}

bool AbandonedCalls::open(ProgramKind kind, const LoadedObject& loaded)
{
    if (object_)
        return kind == kind_;
    kind_ = kind;
    object_ = load({first_argument(), 0, 0}, loaded);
    if (!object_) // loads the object again without attach cookies and task storage, which the kernel may lack
        object_ = load({first_argument(), 1, 0}, loaded);
    return object_ != nullptr;
}

/// Loads an object whose program uses the maps of the trace. If object_ is loaded already, the new object also shares
/// the maps of object_. Returns null and sets errno on failure.
AbandonedCalls::OpenObject AbandonedCalls::load(const Constants& constants, const LoadedObject& loaded) const
{
    const auto runtime = embedded_runtime();
    const auto found = std::find_if(runtime.begin(), runtime.end(),
                                    [](const RuntimeObject& object) { return object.name == "abandoned_calls"; });
    OpenObject object(found == runtime.end() ? nullptr
                                             : bpf_object__open_mem(found->elf.data(), found->elf.size(), nullptr));
    bpf_program* const program = object ? bpf_object__find_program_by_name(object.get(), kUnwoundProgram) : nullptr;
    bpf_map* const values = object ? unwound_section(object.get(), ".rodata") : nullptr;
    errno = EINVAL;
    if (!program || !values || bpf_map__set_initial_value(values, constants.data(), sizeof constants) != 0 ||
        !share_run_map(object.get(), "abandoned_state", loaded.maps().section(DT_SECTION_STATE)) ||
        !share_run_map(object.get(), "abandoned_tree", loaded.maps().find(DT_MAP_FOLLOWED)))
        return nullptr;
    const bool is_plain = constants[1] != 0;
    bpf_map__set_autocreate(bpf_object__find_map_by_name(object.get(), is_plain ? kThreadsByTask : kThreadsById),
                            false);
    for (const char* name : {kThreadsById, kAbandonedCalls})
        if (const int theirs = object_ ? bpf_object__find_map_fd_by_name(object_.get(), name) : -1; theirs >= 0)
            bpf_map__reuse_fd(bpf_object__find_map_by_name(object.get(), name), theirs);
    if (object_)
        bpf_map__reuse_fd(unwound_section(object.get(), kAbandonedLosses),
                          bpf_map__fd(unwound_section(object_.get(), kAbandonedLosses)));
    if (info(kind_).attach_type != 0)
        bpf_program__set_expected_attach_type(program, static_cast<bpf_attach_type>(info(kind_).attach_type));
    if (const int error = bpf_object__load(object.get()); error != 0) {
        object.reset();
        errno = -error;
    }
    return object;
}

/// Returns the descriptor of the program for targets with the given cookie. If the kernel has no attach cookies, loads
/// a separate object for each cookie. Returns a negative number and sets errno on failure.
int AbandonedCalls::program_for(uint64_t cookie, const LoadedObject& loaded)
{
    const bool is_plain = bpf_map__fd(bpf_object__find_map_by_name(object_.get(), kThreadsByTask)) < 0;
    OpenObject& object = is_plain ? by_cookie_[cookie] : object_;
    if (!object)
        object = load({first_argument(), 1, cookie}, loaded);
    return object ? bpf_program__fd(bpf_object__find_program_by_name(object.get(), kUnwoundProgram)) : -1;
}

void AbandonedCalls::add(const Plans& plans, const LoadedObject& loaded, const probes::AttachOptions& how,
                         Attachments& attachments)
{
    std::map<File, std::vector<ReturnProbeRange>> code;
    std::set<int64_t> processes;
    for (const auto& plan : plans)
        for (const ReturnProbeRange& each : plan->return_probe_ranges) {
            code[each.file].push_back(each);
            processes.insert(each.mapped_in);
        }
    if (code.empty())
        return;
    take();
    for (auto& [file, known] : code) {
        std::sort(known.begin(), known.end(),
                  [](const ReturnProbeRange& a, const ReturnProbeRange& b) { return a.start < b.start; });
        code_[file] = std::move(known);
    }
    for (const int64_t process : processes)
        look_at(static_cast<pid_t>(process));
    for (const auto& plan : plans) {
        if (!plan->unwinder || plan->unwinder->targets.empty())
            continue;
        if (open(plan->unwinder->kind, loaded))
            attach(*plan->unwinder, loaded, how, attachments);
        else
            problems_.insert(std::strerror(errno));
    }
}

void AbandonedCalls::add(const Schema& schema, const LoadedObject& loaded, const probes::AttachOptions& how,
                         Attachments& attachments)
{
    Plans plans;
    for (const ProgramPlan& program : schema.programs)
        plans.push_back(program.plan);
    add(plans, loaded, how, attachments);
}

/// Attaches the program that counts abandoned calls to the targets of a plan that are not attached yet.
void AbandonedCalls::attach(const AttachPlan& plan, const LoadedObject& loaded, const probes::AttachOptions& how,
                            Attachments& attachments)
{
    std::map<int, AttachPlan> fresh; // attach plans of the new targets, by program descriptor
    for (const AttachTarget& target : plan.targets) {
        struct stat status {};
        if (stat(target.where.c_str(), &status) != 0 ||
            !hooks_.insert({status.st_dev, status.st_ino, target.address, target.cookie}).second)
            continue;
        const int program = program_for(target.cookie, loaded);
        if (program < 0) {
            problems_.insert(std::strerror(errno));
            continue;
        }
        AttachPlan& its = fresh[program];
        its.kind = plan.kind;
        its.targets.push_back(target);
        if (by_cookie_.contains(target.cookie))
            its.targets.back().cookie = 0;
    }
    for (const auto& [program, its] : fresh) {
        auto attached = probes::mechanism_for(plan.kind)->attach(program, its, how);
        if (!attached) {
            problems_.insert(attached.error().message);
            continue;
        }
        for (const probes::Refusal& refusal : attached->refusals)
            if (!refusal.is_gone)
                problems_.insert(refusal.reason);
        for (std::unique_ptr<probes::Attachment>& attachment : attached->attachments)
            attachments.all.push_back({std::move(attachment), nullptr});
        attachments.preemptible |= info(plan.kind).preemptible;
    }
}

/// Reads the mappings of a process, and records those that map code of probed files.
void AbandonedCalls::look_at(pid_t process)
{
    const std::string folder = process_folder(proc_, process);
    for (const Mapping& mapping : parse_maps(read_proc_file(folder + "/maps"))) {
        char name[48];
        std::snprintf(name, sizeof name, "/map_files/%llx-%llx", static_cast<unsigned long long>(mapping.start),
                      static_cast<unsigned long long>(mapping.end));
        struct stat status {};
        if (!mapping.is_code || (stat((folder + name).c_str(), &status) != 0 &&
                                 stat((folder + "/root" + mapping.path).c_str(), &status) != 0))
            continue;
        const Code code{mapping.start, mapping.end, mapping.offset, {status.st_dev, status.st_ino}};
        if (!code_.contains(code.file))
            continue;
        std::vector<Code>& known = mapped_[static_cast<uint64_t>(process)];
        if (std::find(known.begin(), known.end(), code) == known.end())
            known.push_back(code);
    }
}

void AbandonedCalls::see(const MappingEvent& event)
{
    if (code_.empty())
        return;
    const auto process = static_cast<uint64_t>(event.pid);
    if (event.kind == MappingEvent::Kind::Fork) {
        if (mapped_.contains(process)) { // removes the recorded mappings of an earlier process with the same id
            take();
            mapped_.erase(process);
            std::erase(ended_, process);
        }
        if (const auto parent = mapped_.find(static_cast<uint64_t>(event.parent)); parent != mapped_.end())
            mapped_[process] = parent->second;
    } else if (event.kind == MappingEvent::Kind::Map) {
        const File file = file_of(proc_, event);
        if (!code_.contains(file))
            return;
        std::vector<Code>& known = mapped_[process];
        if (!known.empty())
            take(); // attributes the counts so far to probes, before the addresses belong to other code
        known.push_back({event.start, event.end, event.offset, file});
    } else if (event.kind == MappingEvent::Kind::Exit && mapped_.contains(process)) {
        end(process);
    }
}

/// Handles the end of a process. Calls of the process may have been counted but not read yet, so its mappings are still
/// needed. They are removed later, together with the mappings of other ended processes.
void AbandonedCalls::end(uint64_t process)
{
    constexpr std::size_t kMaxEnded = 1024;
    ended_.push_back(process);
    if (ended_.size() < kMaxEnded)
        return;
    take();
    for (const uint64_t each : ended_)
        mapped_.erase(each);
    ended_.clear();
}

/// Returns the probes whose code contains the address. A function with several names has several probes.
std::set<const Probe*> AbandonedCalls::probes_in(const std::vector<Code>& mapped, uint64_t origin,
                                                 uint64_t address) const
{
    std::set<const Probe*> found;
    for (auto at = mapped.rbegin(); at != mapped.rend() && found.empty(); ++at) {
        const auto known = at->start <= address && address < at->end ? code_.find(at->file) : code_.end();
        if (known == code_.end())
            continue;
        const std::vector<ReturnProbeRange>& code = known->second;
        const uint64_t offset = address - at->start + at->offset;
        auto behind =
            std::upper_bound(code.begin(), code.end(), offset,
                             [](uint64_t wanted, const ReturnProbeRange& each) { return wanted < each.start; });
        for (const uint64_t start = behind == code.begin() ? 0 : std::prev(behind)->start;
             behind != code.begin() && std::prev(behind)->start == start; --behind)
            if (offset < std::prev(behind)->end && static_cast<uint64_t>(std::prev(behind)->process) == origin)
                found.insert(std::prev(behind)->probe);
    }
    return found;
}

/// Returns the probes at an address in the process that made the abandoned call. A process without recorded mappings is
/// the child of a fork, so the mappings of other processes are used for it.
std::set<const Probe*> AbandonedCalls::probes_at(const dt_abandoned_call& call, uint64_t address) const
{
    if (const auto known = mapped_.find(call.process); known != mapped_.end())
        return probes_in(known->second, call.origin, address);
    std::set<const Probe*> found;
    for (auto known = mapped_.begin(); known != mapped_.end() && found.empty(); ++known)
        found = probes_in(known->second, call.origin, address);
    return found;
}

void AbandonedCalls::take()
{
    if (!object_)
        return;
    const int map = bpf_object__find_map_fd_by_name(object_.get(), kAbandonedCalls);
    std::vector<dt_abandoned_call> keys;
    dt_abandoned_call key{}, next{};
    for (const dt_abandoned_call* at = nullptr;
         keys.size() < DT_ABANDONED_CALLS && bpf_map_get_next_key(map, at, &next) == 0; at = &key)
        keys.push_back(key = next);
    for (const dt_abandoned_call& call : keys) {
        uint64_t count = 0;
        if (bpf_map_lookup_elem(map, &call, &count) != 0)
            continue;
        std::set<const Probe*> probes = probes_at(call, call.pc);
        if (probes.empty() && call.cleanup_pc != 0)
            probes = probes_at(call, call.cleanup_pc);
        if (probes.empty())
            // the mapping that contains the abandoned call may not have been recorded yet; the next read of the counts
            // tries again
            continue;
        uint64_t& taken = taken_[{call.process, call.origin, call.forced, call.pc, call.cleanup_pc}];
        for (const Probe* probe : probes)
            (call.forced != 0 ? calls_[probe].with_thread : calls_[probe].by_exception) += count - taken;
        taken = count;
    }
}

std::vector<output::Note> AbandonedCalls::report()
{
    take();
    std::vector<output::Note> notes;
    const auto tell = [&](uint64_t count, std::string text) {
        notes.push_back({"UNWOUND", {{"count", count}}, std::move(text)});
    };
    std::vector<std::pair<std::string, Calls>> sorted;
    for (const auto& [probe, calls] : calls_)
        if (calls.all() != 0)
            sorted.emplace_back(probe->full_name(), calls);
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second.all() != b.second.all() ? a.second.all() > b.second.all() : a.first < b.first;
    });
    uint64_t others = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const auto& [name, calls] = sorted[i];
        if (i < kMaxListedFunctions && calls.by_exception != 0)
            tell(calls.by_exception,
                 name + ": " + calls_text(calls.by_exception, "by an exception, so no return probe fired"));
        if (i < kMaxListedFunctions && calls.with_thread != 0)
            tell(calls.with_thread,
                 name + ": " + calls_text(calls.with_thread, "with their thread, so no return probe fired"));
        others += i < kMaxListedFunctions ? 0 : calls.all();
    }
    if (others != 0)
        tell(others, calls_text(others, "without firing a return probe in ") +
                         std::to_string(sorted.size() - kMaxListedFunctions) + " other functions");
    const uint32_t first = 0;
    dt_abandoned_losses losses{};
    bpf_map* const map = object_ ? unwound_section(object_.get(), kAbandonedLosses) : nullptr;
    if (map && bpf_map_lookup_elem(bpf_map__fd(map), &first, &losses) == 0) {
        if (losses.calls != 0)
            tell(losses.calls,
                 calls_text(
                     losses.calls,
                     "by an exception, in functions that are not listed because too many functions have such calls"));
        if (losses.unreported != 0)
            tell(losses.unreported, std::to_string(losses.unreported) +
                                        (losses.unreported == 1 ? " exception was" : " exceptions were") +
                                        " thrown through functions with return probes: the calls that these exceptions "
                                        "ended could not be counted");
    }
    for (const std::string& problem : problems_)
        tell(0, "cannot count calls that end by an exception: " + problem);
    return notes;
}

} // namespace dt
