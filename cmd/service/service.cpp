// Starts, replaces and ends scripts to match the directory, and trims the service's memory.
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

// Control of the service's resident memory. The service is small for hours, and large only while it compiles or reads
// temporary data.

/// Limits how much freed memory libc keeps. Call it at the start.
void limit_free_memory();
/// Returns freed memory to the system. Takes about 0.1 ms.
void give_back_free_memory();
/// Drops resident pages of code and constants of this program and its libraries. Pages used again come back from the
/// page cache, in about 20 us per 64 KiB. Pages with breakpoints (uprobes) stay. `Large` covers most of the memory with
/// less than a third of the system calls.
enum class Segments : char { All, Large };
void give_back_code(Segments which);
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

/// Returns the interval of pin checks. Tests shorten the default of an hour.
std::chrono::milliseconds period_of_pins()
{
    const char* const milliseconds = secure_getenv("DTRACE_PIN_PERIOD");
    return milliseconds ? std::chrono::milliseconds(std::max(std::atoi(milliseconds), 10)) : std::chrono::hours(1);
}

/// Files of traced programs are untrusted, so the service always uses sandboxed readers.
Options of_ground(const Options& given)
{
    Options options = given;
    if (options.run().sandbox == "service")
        static_cast<void>(options.set("sandbox", "always", OptionSource::CommandLine));
    return options;
}

} // namespace

Service::Service(const cmd::Arguments& arguments, const Options& options, Signals& signals)
    : arguments_(without_operands(arguments)), options_(options), ground_(of_ground(options)), host_(&signals),
      notifier_(Notifier::from_environment()),
      memory_max_(options.run().memorymax, [this](std::string_view text) { cmd::say(arguments_, std::string(text)); })
{
    host_.leave_pinned_at(SIGTERM); // SIGTERM may begin a restart, so pinned traces continue
}

Service::~Service() = default;

Result<void> Service::start(const std::string& directory, bool may_be_missing)
{
    directory_ = directory;
    limit_free_memory();
    const Unsettled changing(*this);
    if (Result<void> prepared = ground_.prepare(); !prepared)
        return prepared;
    ground_.world().settle(); // large kernel data is loaded by the sandboxed readers
    Result<std::vector<Script>> scripts = find_scripts(directory_);
    if (!scripts && !(may_be_missing && scripts.error().code == ENOENT))
        return Error{"cannot read the scripts of " + directory_ + ": " + scripts.error().message, scripts.error().code};
    if (scripts)
        for (Script& script : scripts.value())
            (void)start_added(std::move(script));
    look_after_pins();
    host_.when_wished([this](const Wishes& wishes) {
        if (wishes.reopening)
            (void)reload();
    });
    return {};
}

void Service::run()
{
    notifier_.ready(status());
    look_after_manager();
    give_back_memory();
    host_.serve([this] {
        is_settled_ = false; // the memory limit stays lifted for the output of END
        notifier_.stopping();
    });
}

/// Trims memory regularly. Pages freed after a peak stay resident otherwise. Most code is used only at the start, by
/// the first records and by control requests.
void Service::give_back_memory()
{
    constexpr auto kPeriod = std::chrono::seconds(10), kPeriodOfCode = std::chrono::seconds(60);
    constexpr int64_t kWorkOfCode =
        250 * kMillisecond;                  // minimum CPU time between two trims of all code: an idle service soon
                                             // needs the same code again, and page faults are expensive
    constexpr unsigned long kMuch = 2 << 20; // growth caused by checks of idle traces, which would recur after each
                                             // trim
    ground_.world().settle();
    give_back_free_memory();
    if (Host::Clock::now() >= gave_back_code_ + kPeriodOfCode && worked() >= worked_before_ + kWorkOfCode)
        give_back_all_code();
    else if (mapped_bytes() > mapped_since_ + kMuch)
        give_back_code(Segments::Large);
    host_.at(Host::Clock::now() + kPeriod, [this] { give_back_memory(); });
}

void Service::give_back_all_code()
{
    give_back_code(Segments::All);
    gave_back_code_ = Host::Clock::now();
    worked_before_ = worked();
    mapped_since_ = mapped_bytes();
}

/// Returns whether a script claims the pin. A script that is in the directory but not started yet claims the pins named
/// in its text; an unreadable one claims every pin.
bool Service::claims_pin(const std::string& pin) const
{
    if (std::any_of(members_.begin(), members_.end(), [&](const auto& each) { return each->claims(pin); }))
        return true;
    const Result<std::vector<Script>> scripts = find_scripts(directory_);
    if (!scripts)
        return scripts.error().code != ENOENT;
    return std::any_of(scripts.value().begin(), scripts.value().end(), [&](const Script& each) {
        const Result<std::string> text = read_script(each.path);
        return !text || has_name(text.value(), pin);
    });
}

/// Removes pins without owner. The lease stops their programs, but does not free their memory.
void Service::sweep_pins()
{
    for (const PinState& gone : Pins::sweep([this](const std::string& pin) { return claims_pin(pin); }))
        cmd::say(arguments_, "pin " + gone.name + " is removed: " +
                                 (gone.is_complete
                                      ? "no tracer took it over in the " +
                                            std::to_string(*gone.stopped / static_cast<uint64_t>(kSecond)) +
                                            " s since its lease ended"
                                      : "the tracer that created it was killed before another one could take it over"));
}

/// Checks pins regularly for owners that die while the service runs.
void Service::look_after_pins()
{
    sweep_pins();
    host_.at(Host::Clock::now() + period_of_pins(), [this] { look_after_pins(); });
}

/// Sends signs of life to systemd. The event loop does it itself, so that they stop when the loop hangs.
void Service::look_after_manager()
{
    const auto period = notifier_.period();
    if (!period)
        return;
    notifier_.alive();
    host_.at(Host::Clock::now() + *period, [this] { look_after_manager(); });
}

std::string Service::status() const
{
    std::size_t tracing = 0;
    std::string failed;
    for (const auto& member : members_) {
        tracing += member->state() == State::Tracing ? 1 : 0;
        if (member->state() == State::Failed)
            failed += (failed.empty() ? "" : ", ") + member->name();
    }
    return std::to_string(tracing) + " of " + std::to_string(members_.size()) +
           (members_.size() == 1 ? " script traces" : " scripts trace") + (failed.empty() ? "" : "; failed: " + failed);
}

/// Trims memory and sets the memory limit after scripts have started or ended.
void Service::settle()
{
    if (!is_settled_)
        return;
    compiler_.end();
    ground_.world().settle();
    give_back_free_memory(); // returns the pages that the compiler has freed
    give_back_all_code();
    uint64_t bound = 0;
    for (const auto& member : members_)
        bound += member->memory_bound();
    memory_max_.set(bound);
    settled_ = Host::Clock::now();
    if (!std::exchange(gives_back_again_, true))
        give_back_again(0);
}

/// Trims memory again twice, because the first passes and the first records of new scripts allocate memory and use code
/// pages again.
void Service::give_back_again(std::size_t time)
{
    constexpr std::chrono::milliseconds kLater[] = {std::chrono::milliseconds(250), std::chrono::milliseconds(1000)};
    if (const auto due = settled_ + kLater[time]; Host::Clock::now() < due)
        return host_.at(due, [this, time] { give_back_again(time); });
    if (is_settled_) {
        ground_.world().settle();
        give_back_free_memory();
        give_back_all_code();
    }
    gives_back_again_ = time + 1 < std::size(kLater);
    if (gives_back_again_)
        give_back_again(time + 1);
}

Member* Service::find(const std::string& name)
{
    const auto found =
        std::find_if(members_.begin(), members_.end(), [&](const auto& each) { return each->name() == name; });
    return found == members_.end() ? nullptr : found->get();
}

void Service::keep_in_order()
{
    std::stable_sort(members_.begin(), members_.end(),
                     [](const auto& a, const auto& b) { return a->name() < b->name(); });
    notifier_.status(status());
}

Service::Change Service::start_added(Script script)
{
    Result<std::string> text = script.path.empty() ? script.text : read_script(script.path);
    if (text)
        script.text = std::move(text.value());
    auto member = std::make_unique<Member>(around_, std::move(script));
    const bool is_good = member->prepare(nullptr) && member->begin({});
    Change change{member->name(), is_good ? "started" : "failed", member->error()};
    members_.push_back(std::move(member));
    keep_in_order();
    return change;
}

Result<void> Service::attach(Script script)
{
    if (Member* const same = find(script.name)) {
        if (same->state() == State::Tracing)
            return Error{"a script with the name " + script.name +
                             " is already tracing: detach it, or choose another name",
                         EEXIST};
        const auto at =
            std::find_if(members_.begin(), members_.end(), [&](const auto& each) { return each.get() == same; });
        members_.erase(at);
    }
    if (Result<void> prepared = ground_.prepare(); !prepared)
        return prepared;
    const Unsettled changing(*this);
    const Change change = start_added(std::move(script));
    if (change.what == "failed")
        return Error{change.text};
    return {};
}

Result<void> Service::detach(const std::string& name)
{
    Member* const member = find(name);
    if (!member)
        return Error{"there is no script with the name " + name, ENOENT};
    if (member->state() != State::Tracing)
        return Error{"script " + name + " is not tracing; its state is " + std::string(word_of(member->state())),
                     EINVAL};
    const Unsettled changing(*this);
    member->stop();
    member->release();
    return {};
}

Service::Change Service::remove(Members::iterator old)
{
    Change change{(*old)->name(), "detached", "its file no longer exists"};
    (*old)->stop();
    members_.erase(old);
    return change;
}

/// Replaces a script without a gap: the new trace is attached before the old one ends, each firing is recorded by
/// exactly one of them, and values are taken over. On failure the old one keeps running.
Service::Change Service::replace(Members::iterator old, Script script)
{
    auto next = std::make_unique<Member>(around_, std::move(script));
    Member& former = **old;
    if (former.is_pinned()) // the name of a pin is taken while its trace runs
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

Service::Change Service::replace_stopped(Members::iterator old, std::unique_ptr<Member> next)
{
    Member& former = **old;
    const auto began = Host::Clock::now();
    former.stop();
    TraceValues values = former.values();
    if (!next->prepare(nullptr) || !next->begin(values))
        return restart(old, *next, std::move(values));
    Change change{next->name(), "replaced", {}};
    change.without_ms = std::chrono::duration<double, std::milli>(Host::Clock::now() - began).count();
    change.text = "nothing was traced for " + in_ms(change.without_ms);
    *old = std::move(next);
    return change;
}

/// Restarts a script after its replacement could not be started.
Service::Change Service::restart(Members::iterator at, const Member& refused, TraceValues values)
{
    auto again = std::make_unique<Member>(around_, (*at)->script());
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
    const Unsettled changing(*this);
    Result<std::vector<Script>> found = find_scripts(directory_);
    Result<void> prepared = found ? ground_.prepare() : Result<void>(found.error());
    if (!prepared) {
        cmd::say(arguments_, "reload: cannot read " + directory_ + ": " + prepared.error().message);
        notifier_.ready(status());
        return prepared.error();
    }
    std::vector<Change> changes;
    for (auto at = members_.begin(); at != members_.end();) {
        const bool is_gone = (*at)->script().is_of_directory &&
                             std::none_of(found.value().begin(), found.value().end(),
                                          [&](const Script& each) { return each.name == (*at)->name(); });
        if (!is_gone) {
            ++at;
            continue;
        }
        const auto index = at - members_.begin();
        changes.push_back(remove(at));
        at = members_.begin() + index;
    }
    for (Script& script : found.value()) {
        const auto at = std::find_if(members_.begin(), members_.end(),
                                     [&](const auto& each) { return each->name() == script.name; });
        if (at == members_.end()) {
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
        if (change.what != "failed") // failures were already reported
            cmd::say(arguments_, change.name + ": " + change.what + (change.text.empty() ? "" : ": " + change.text));
    sweep_pins();
    keep_in_order();
    notifier_.ready(status());
    return changes;
}

// Distinguishes file pages from private pages by /proc/self/pagemap (proc(5)).

namespace {

constexpr uint64_t kIsPresent = uint64_t{1} << 63, kIsOfFile = uint64_t{1} << 61;

constexpr uintptr_t kLarge = 256 * 1024; // minimum segment size in bytes

struct Pages {
    int map = -1;
    uintptr_t page = 0;
    uintptr_t least = 0; // minimum segment size in bytes
};

/// Drops all runs of unmodified file pages in the range.
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
int give_back_segments(dl_phdr_info* object, std::size_t, void* data)
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
    mallopt(M_ARENA_MAX, 1); // threads that read a file now and then would otherwise each leave an arena
}

void give_back_free_memory()
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

void give_back_code(Segments which)
{
    Pages pages{open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)),
                which == Segments::Large ? kLarge : 0};
    if (pages.map < 0)
        return;
    dl_iterate_phdr(give_back_segments, &pages);
    close(pages.map);
}

namespace {

/// Memory of a service without scripts, of a compilation, and of ended scripts that the kernel has not freed yet.
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
    if (unit_.empty() || told_ == value)
        return;
    // The timeout protects the service from a systemd that does not respond, for example while it stops the service.
    const Result<int> status = run_system_command("exec timeout 5 systemctl set-property --runtime -- " +
                                                      quoted_for_shell(unit_) + " MemoryMax=" + value,
                                                  STDERR_FILENO);
    if (status && WIFEXITED(status.value()) && WEXITSTATUS(status.value()) == 0) {
        told_ = value;
        return;
    }
    say_("cannot set MemoryMax of " + unit_ + (status ? "" : ": " + status.error().message) +
         "; its memory limit stays as it is");
    unit_.clear();
}

} // namespace dt::service
