// Starts, replaces and ends scripts according to the files in the directory, and releases memory that the service does
// not need.
#include "cmd/service/service.hpp"

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "base/time.hpp"
#include "cmd/common/messages.hpp"
#include "libdtrace/load/pins.hpp"
#include "libdtrace/records/actions.hpp"

namespace dt::service {

// Keeps the service's resident memory small. The service is idle for hours, and needs much memory only while it
// compiles or reads temporary data.

/// Limits how much freed memory libc keeps for itself. Call it at the start.
void limit_free_memory();
/// Returns freed memory to the system, in about 0.1 ms.
void return_free_memory();
/// Releases resident pages of code and constants of this program and its libraries. If such a page is used again, the
/// kernel maps it from the page cache, in about 20 us per 64 KiB. Pages with breakpoints (uprobes) stay. `Large`
/// restricts this to large segments: these are most of the memory and need less than a third of the system calls.
enum class Segments : char { All, Large };
void return_code(Segments which);
/// Returns the resident bytes that are mapped from files (code among them) and from BPF maps.
unsigned long mapped_bytes();

namespace {

cmd::Arguments without_operands(cmd::Arguments arguments)
{
    arguments.operands.clear();
    return arguments;
}

/// Returns the CPU time of all threads in ns.
int64_t worked()
{
    return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

std::string in_ms(double ms)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ms", ms);
    return text;
}

/// Returns the interval at which unused pins are searched for: an hour, or less in tests.
std::chrono::milliseconds period_of_pins()
{
    const char* const milliseconds = secure_getenv("DTRACE_PIN_PERIOD");
    return milliseconds ? std::chrono::milliseconds(std::max(std::atoi(milliseconds), 10)) : std::chrono::hours(1);
}

/// Returns the options of the service's own session. The service always uses sandboxed readers, because files of traced
/// programs are untrusted.
Options of_ground(const Options& given)
{
    Options options = given;
    if (options.run().sandbox == "service")
        static_cast<void>(options.set("sandbox", "always", OptionSource::CommandLine));
    return options;
}

} // namespace

Service::Service(const cmd::Arguments& arguments, const Options& options, Signals& signals)
    : arguments_(without_operands(arguments)), options_(options), base_session_(of_ground(options)), loop_(&signals),
      notifier_(Notifier::from_environment()), memory_max_(options.run().memorymax, [this](std::string_view text) {
          cmd::print_message(arguments_, std::string(text));
      })
{
    // traces with -x pin continue after SIGTERM, because this signal may begin a restart of the service
    loop_.leave_pinned_at(SIGTERM);
}

Service::~Service() = default;

Result<void> Service::start(const std::string& directory, bool may_be_missing)
{
    directory_ = directory;
    limit_free_memory();
    const TrimGuard changing(*this);
    if (Result<void> prepared = base_session_.prepare(); !prepared)
        return prepared;
    // frees large kernel data here, because each sandboxed reader loads its own copy
    base_session_.world().trim_memory();
    Result<std::vector<Script>> scripts = find_scripts(directory_);
    if (!scripts && !(may_be_missing && scripts.error().code == ENOENT))
        return Error{"cannot read the scripts of " + directory_ + ": " + scripts.error().message, scripts.error().code};
    if (scripts)
        for (Script& script : scripts.value())
            (void)start_added(std::move(script));
    renew_pins();
    loop_.on_request([this](const SignalRequests& wishes) {
        if (wishes.reopening)
            (void)reload();
    });
    return {};
}

void Service::run()
{
    notifier_.ready(status());
    notify_manager();
    return_memory();
    loop_.serve([this] {
        may_trim_ = false; // leaves the memory limit lifted, because END may need memory for its output
        notifier_.stopping();
    });
}

/// Releases memory regularly, because pages that were used at a peak would stay resident. Most code is used only at the
/// start, by the first records, and by control requests.
void Service::return_memory()
{
    constexpr auto kPeriod = std::chrono::seconds(10), kPeriodOfCode = std::chrono::seconds(60);
    // Code pages are released again only after the process has used this much CPU time, in ns. If it has done little
    // work since the last release, it will probably need the same pages again, and page faults are expensive.
    constexpr int64_t kWorkOfCode = 250 * kMillisecond;
    // If mapped memory has grown by no more than this, it is not released: the checks of idle traces map this amount
    // again each time.
    constexpr unsigned long kMuch = 2 << 20;
    base_session_.world().trim_memory();
    return_free_memory();
    if (EventLoop::Clock::now() >= returned_code_ + kPeriodOfCode && worked() >= worked_before_ + kWorkOfCode)
        return_all_code();
    else if (mapped_bytes() > mapped_since_ + kMuch)
        return_code(Segments::Large);
    loop_.at(EventLoop::Clock::now() + kPeriod, [this] { return_memory(); });
}

void Service::return_all_code()
{
    return_code(Segments::All);
    returned_code_ = EventLoop::Clock::now();
    worked_before_ = worked();
    mapped_since_ = mapped_bytes();
}

/// Returns whether the pin belongs to a script of this service. A script in the directory that has not started yet
/// claims all pins whose names are in its text; if the text cannot be read, it claims every pin.
bool Service::claims_pin(const std::string& pin) const
{
    if (std::any_of(instances_.begin(), instances_.end(), [&](const auto& each) { return each->claims(pin); }))
        return true;
    const Result<std::vector<Script>> scripts = find_scripts(directory_);
    if (!scripts)
        return scripts.error().code != ENOENT;
    return std::any_of(scripts.value().begin(), scripts.value().end(), [&](const Script& each) {
        const Result<std::string> text = read_script(each.path);
        return !text || has_name(text.value(), pin);
    });
}

/// Removes pins (traces that outlived their tracer) that belong to no script. After the timeout of -x pintimeout their
/// programs stop, but their memory is not freed.
void Service::sweep_pins()
{
    for (const PinState& gone : Pins::sweep([this](const std::string& pin) { return claims_pin(pin); }))
        cmd::print_message(
            arguments_,
            "pin " + gone.name + " is removed: " +
                (gone.is_complete
                     ? "no tracer took it over within " +
                           std::to_string(*gone.stopped / static_cast<uint64_t>(kSecond)) +
                           " s after the time limit of its own tracer (option pintimeout)"
                     : "its tracer was killed before the pin was complete, so no other tracer can take it over"));
}

/// Removes unused pins regularly, because the scripts that they belong to may end while the service runs.
void Service::renew_pins()
{
    sweep_pins();
    loop_.at(EventLoop::Clock::now() + period_of_pins(), [this] { renew_pins(); });
}

/// Notifies systemd regularly that the service is alive. The event loop does this, so that the messages stop if the
/// loop hangs.
void Service::notify_manager()
{
    const auto period = notifier_.period();
    if (!period)
        return;
    notifier_.alive();
    loop_.at(EventLoop::Clock::now() + *period, [this] { notify_manager(); });
}

std::string Service::status() const
{
    std::size_t tracing = 0;
    std::string failed;
    for (const auto& member : instances_) {
        tracing += member->state() == State::Tracing ? 1 : 0;
        if (member->state() == State::Failed)
            failed += (failed.empty() ? "" : ", ") + member->name();
    }
    return std::to_string(tracing) + " of " + std::to_string(instances_.size()) +
           (instances_.size() == 1 ? " script is tracing" : " scripts are tracing") +
           (failed.empty() ? "" : "; failed: " + failed);
}

/// Releases memory and computes a new memory limit after scripts have started or ended.
void Service::trim_memory()
{
    if (!may_trim_)
        return;
    compiler_.end();
    base_session_.world().trim_memory();
    return_free_memory(); // gives memory that the compiler has freed back to the operating system
    return_all_code();
    uint64_t bound = 0;
    for (const auto& member : instances_)
        bound += member->memory_bound();
    memory_max_.set(bound);
    trimmed_ = EventLoop::Clock::now();
    if (!std::exchange(returns_memory_again_, true))
        return_memory_again(0);
}

/// Releases memory two more times, a little later: the first passes over the buffers and the first records of new
/// scripts allocate memory and use code pages again.
void Service::return_memory_again(std::size_t time)
{
    constexpr std::chrono::milliseconds kLater[] = {std::chrono::milliseconds(250), std::chrono::milliseconds(1000)};
    if (const auto due = trimmed_ + kLater[time]; EventLoop::Clock::now() < due)
        return loop_.at(due, [this, time] { return_memory_again(time); });
    if (may_trim_) {
        base_session_.world().trim_memory();
        return_free_memory();
        return_all_code();
    }
    returns_memory_again_ = time + 1 < std::size(kLater);
    if (returns_memory_again_)
        return_memory_again(time + 1);
}

ScriptInstance* Service::find(const std::string& name)
{
    const auto found =
        std::find_if(instances_.begin(), instances_.end(), [&](const auto& each) { return each->name() == name; });
    return found == instances_.end() ? nullptr : found->get();
}

void Service::sort_instances()
{
    std::stable_sort(instances_.begin(), instances_.end(),
                     [](const auto& a, const auto& b) { return a->name() < b->name(); });
    notifier_.status(status());
}

Service::Change Service::start_added(Script script)
{
    Result<std::string> text = script.path.empty() ? script.text : read_script(script.path);
    if (text)
        script.text = std::move(text.value());
    auto member = std::make_unique<ScriptInstance>(context_, std::move(script));
    const bool is_good = member->prepare(nullptr) && member->begin({});
    Change change{member->name(), is_good ? "started" : "failed", member->error()};
    instances_.push_back(std::move(member));
    sort_instances();
    return change;
}

Result<void> Service::attach(Script script)
{
    if (ScriptInstance* const same = find(script.name)) {
        if (same->state() == State::Tracing)
            return Error{"a script with the name " + script.name +
                             " is already tracing: detach it, or choose another name",
                         EEXIST};
        const auto at =
            std::find_if(instances_.begin(), instances_.end(), [&](const auto& each) { return each.get() == same; });
        instances_.erase(at);
    }
    if (Result<void> prepared = base_session_.prepare(); !prepared)
        return prepared;
    const TrimGuard changing(*this);
    const Change change = start_added(std::move(script));
    if (change.what == "failed")
        return Error{change.text};
    return {};
}

Result<void> Service::detach(const std::string& name)
{
    ScriptInstance* const member = find(name);
    if (!member)
        return Error{"there is no script with the name " + name, ENOENT};
    if (member->state() != State::Tracing)
        return Error{"script " + name + " is not tracing; its state is " + std::string(name_of_state(member->state())),
                     EINVAL};
    const TrimGuard changing(*this);
    member->stop();
    member->release();
    return {};
}

Service::Change Service::remove(ScriptInstances::iterator old)
{
    Change change{(*old)->name(), "detached", "its file no longer exists"};
    (*old)->stop();
    instances_.erase(old);
    return change;
}

/// Replaces a script without a gap. The new trace is attached before the old one ends, and exactly one of them records
/// each firing. The new script continues with the globals and aggregations of the old one. If it fails, the old script
/// keeps running.
Service::Change Service::replace(ScriptInstances::iterator old, Script script)
{
    auto next = std::make_unique<ScriptInstance>(context_, std::move(script));
    ScriptInstance& former = **old;
    if (former.is_pinned()) // no second trace can use the name of the pin (-x pin) while this trace runs
        return replace_stopped(old, std::move(next));
    const bool had_traced = former.state() == State::Tracing;
    if (!next->prepare(&former) || !next->begin({})) {
        if (!had_traced) {
            *old = std::move(next);
            return {(*old)->name(), "failed", (*old)->error()};
        }
        former.note_refused(next->script().text, next->error());
        return {former.name(), "failed", next->error() + "\n\tthe previous version continues to trace"};
    }
    if (had_traced)
        next->succeed(former);
    *old = std::move(next);
    return {(*old)->name(), "replaced", had_traced ? "nothing was missed" : ""};
}

Service::Change Service::replace_stopped(ScriptInstances::iterator old, std::unique_ptr<ScriptInstance> next)
{
    ScriptInstance& former = **old;
    const auto began = EventLoop::Clock::now();
    former.stop();
    TraceValues values = former.values();
    if (!next->prepare(nullptr) || !next->begin(values))
        return restart(old, *next, std::move(values));
    Change change{next->name(), "replaced", {}};
    change.without_ms = std::chrono::duration<double, std::milli>(EventLoop::Clock::now() - began).count();
    change.text = "nothing was traced for " + in_ms(change.without_ms);
    *old = std::move(next);
    return change;
}

/// Restarts the old script, because the script that should replace it could not be started.
Service::Change Service::restart(ScriptInstances::iterator at, const ScriptInstance& refused, TraceValues values)
{
    auto again = std::make_unique<ScriptInstance>(context_, (*at)->script());
    const bool is_good = again->prepare(nullptr) && again->begin(std::move(values));
    if (is_good)
        again->note_refused(refused.script().text, refused.error());
    *at = std::move(again);
    return {(*at)->name(), "failed",
            refused.error() + (is_good ? "\n\tthe previous version was restarted"
                                       : "\n\tthe previous version cannot be restarted either: " + (*at)->error())};
}

Result<std::vector<Service::Change>> Service::reload()
{
    notifier_.reloading();
    const TrimGuard changing(*this);
    Result<std::vector<Script>> found = find_scripts(directory_);
    Result<void> prepared = found ? base_session_.prepare() : Result<void>(found.error());
    if (!prepared) {
        cmd::print_message(arguments_, "reload: cannot read " + directory_ + ": " + prepared.error().message);
        notifier_.ready(status());
        return prepared.error();
    }
    std::vector<Change> changes;
    for (auto at = instances_.begin(); at != instances_.end();) {
        const bool is_gone = (*at)->script().is_of_directory &&
                             std::none_of(found.value().begin(), found.value().end(),
                                          [&](const Script& each) { return each.name == (*at)->name(); });
        if (!is_gone) {
            ++at;
            continue;
        }
        const auto index = at - instances_.begin();
        changes.push_back(remove(at));
        at = instances_.begin() + index;
    }
    for (Script& script : found.value()) {
        const auto at = std::find_if(instances_.begin(), instances_.end(),
                                     [&](const auto& each) { return each->name() == script.name; });
        if (at == instances_.end()) {
            changes.push_back(start_added(std::move(script)));
            continue;
        }
        Result<std::string> text = read_script(script.path);
        if (!(*at)->script().is_of_directory || (text && (*at)->is_of_text(text.value())))
            continue;
        script.text = text ? std::move(text.value()) : std::string();
        changes.push_back(replace(at, std::move(script)));
    }
    for (const Change& change : changes)
        if (change.what != "failed") // changes that failed have already been reported
            cmd::print_message(arguments_,
                               change.name + ": " + change.what + (change.text.empty() ? "" : ": " + change.text));
    sweep_pins();
    sort_instances();
    notifier_.ready(status());
    return changes;
}

// Finds pages that are mapped from files, and private pages, with /proc/self/pagemap (proc(5)).

namespace {

constexpr uint64_t kIsPresent = uint64_t{1} << 63, kIsOfFile = uint64_t{1} << 61;

constexpr uintptr_t kLarge = 256 * 1024; // minimum size in bytes of a segment that counts as large

struct Pages {
    int map = -1;
    uintptr_t page = 0;
    uintptr_t least = 0; // minimum size in bytes of the segments whose pages are released
};

/// Releases the memory of all unmodified file pages in the range.
void give_back(const Pages& pages, uintptr_t begin, uintptr_t end)
{
    std::vector<uint64_t> known((end - begin) / pages.page);
    const std::size_t bytes = known.size() * sizeof(uint64_t);
    const auto at = static_cast<off_t>(begin / pages.page * sizeof(uint64_t));
    if (pread(pages.map, known.data(), bytes, at) != static_cast<ssize_t>(bytes))
        return;
    for (std::size_t first = 0; first < known.size();) {
        std::size_t last = first;
        while (last < known.size() && ((known[last] & kIsPresent) == 0 || (known[last] & kIsOfFile) != 0))
            ++last;
        if (last != first)
            madvise(reinterpret_cast<void*>(begin + first * pages.page), (last - first) * pages.page, MADV_DONTNEED);
        first = last + 1;
    }
}

/// Handles the read-only segments of an object, except the kernel's vDSO, which is no file.
int return_segments(dl_phdr_info* object, std::size_t, void* data)
{
    const Pages& pages = *static_cast<const Pages*>(data);
    if (std::string_view(object->dlpi_name).starts_with("linux-"))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& header = object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + header.p_vaddr;
        const uintptr_t begin = start / pages.page * pages.page;
        const uintptr_t end = (start + header.p_filesz + pages.page - 1) / pages.page * pages.page;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0 && end > begin + pages.least)
            give_back(pages, begin, end);
    }
    return 0;
}

} // namespace

void limit_free_memory()
{
    constexpr int kOfItsOwn = 64 * 1024;
    mallopt(M_MMAP_THRESHOLD, kOfItsOwn);
    mallopt(M_TRIM_THRESHOLD, kOfItsOwn);
    // without this limit, malloc would keep a separate arena for each thread that occasionally reads a file
    mallopt(M_ARENA_MAX, 1);
}

void return_free_memory()
{
    malloc_trim(0);
}

unsigned long mapped_bytes()
{
    unsigned long pages = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "re");
    if (!file || std::fscanf(file, "%*u %*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        std::fclose(file);
    return pages * static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
}

void return_code(Segments which)
{
    Pages pages{open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)),
                which == Segments::Large ? kLarge : 0};
    if (pages.map < 0)
        return;
    dl_iterate_phdr(return_segments, &pages);
    close(pages.map);
}

namespace {

/// Memory that the service may use in addition to the limits of its scripts: for itself, for a compilation, and for
/// ended scripts whose memory the kernel has not freed yet.
constexpr uint64_t kOwnMemory = 256 << 20;

/// Quotes the text as one word of the shell.
std::string quoted_for_shell(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace

void MemoryMax::lift()
{
    tell("infinity");
}

void MemoryMax::set(uint64_t scripts)
{
    tell(std::to_string(scripts + kOwnMemory));
}

void MemoryMax::tell(const std::string& value)
{
    if (unit_.empty() || applied_ == value)
        return;
    // The timeout ends the wait if systemd does not respond, for example while it stops the service.
    const Result<int> status = run_system_command("exec timeout 5 systemctl set-property --runtime -- " +
                                                      quoted_for_shell(unit_) + " MemoryMax=" + value,
                                                  STDERR_FILENO);
    if (status && WIFEXITED(status.value()) && WEXITSTATUS(status.value()) == 0) {
        applied_ = value;
        return;
    }
    say_("cannot set MemoryMax of " + unit_ + (status ? "" : ": " + status.error().message) +
         "; its memory limit stays as it is");
    unit_.clear();
}

} // namespace dt::service
