// Runs the thread that waits for traced processes and handles their stops. If another thread calls call(), a signal
// interrupts the wait. Does not trace processes that another program traces, nor processes that trace others.
#include "libdtrace/process/mapping_gate.hpp"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <utility>

#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

// Detects programs that use ptrace() themselves: debuggers, and programs that check for memory leaks at exit. The gate
// must not use ptrace() on their processes, because a process can have only one such tracer.

namespace dt {

class UntrustedFiles;

/// Returns whether the program calls ptrace(2), or was built with a sanitizer that calls it. Returns false if the file
/// cannot be read.
bool may_use_ptrace(UntrustedFiles& files, const std::string& path);

namespace {

/// Maximum time for which a thread is stopped (held). It is longer than a compilation on a busy machine. If it is
/// exceeded, something is wrong: perhaps the tracer blocks because nothing reads its output.
constexpr int kLongestHoldSeconds = 10;

/// Stack size of the gate's thread. The default size is the limit of the process's stack, and a memory limit may not
/// leave room for that.
constexpr std::size_t kStackSize = 1024 * 1024;

constexpr long kOptions = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE;
constexpr long kOptionsOfTrees = kOptions | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;

int wake_signal()
{
    return SIGRTMAX;
}

void wake(int) {}

void* as_argument(long value)
{
    return reinterpret_cast<void*>(value);
}

/// Returns the number in one line of /proc/PID/status, or 0 if the line is missing.
pid_t number_in(const std::string& status, std::string_view name)
{
    const std::size_t at = status.find("\n" + std::string(name) + ":");
    return at == std::string::npos ? 0 : std::atoi(status.c_str() + at + name.size() + 2);
}

} // namespace

MappingGate::MappingGate(std::string proc, ReadBy by)
    : proc_(std::move(proc)), by_(by), event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    struct sigaction action {};
    action.sa_handler = wake; // SA_RESTART is not set, so that the signal interrupts waitpid(2)
    sigaction(wake_signal(), &action, nullptr);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackSize);
    const int error = pthread_create(&handle_, &attributes, run, this);
    pthread_attr_destroy(&attributes);
    if (error != 0)
        throw std::bad_alloc();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return thread_ != 0; });
}

MappingGate::~MappingGate()
{
    call([this] { leaving_ = true; });
    pthread_join(handle_, nullptr); // when the thread has ended, the kernel has detached all processes that it traced
    close(event_);
}

void* MappingGate::run(void* self)
{
    static_cast<MappingGate*>(self)->work();
    return nullptr;
}

void MappingGate::work()
{
    sigset_t others;
    sigfillset(&others);
    sigdelset(&others, wake_signal());
    pthread_sigmask(SIG_SETMASK, &others, nullptr);
    {
        const std::lock_guard lock(mutex_);
        thread_ = static_cast<pid_t>(syscall(SYS_gettid));
    }
    changed_.notify_all();
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = wake_signal();
    event._sigev_un._tid = thread_;
    const bool has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
    while (!leaving_) {
        if (take_job() || wait_for_event())
            continue;
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            return job_ != nullptr && !is_taken_;
            // A finished job stays in job_ until call() has seen that it is finished.
        });
    }
    if (has_timer)
        timer_delete(timer_);
}

// Runs a job in the gate's thread. A signal that arrives just before the thread starts to wait has no effect, so the
// signal is repeated until the thread has started the job.
void MappingGate::call(const std::function<void()>& what)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return job_ == nullptr; });
    job_ = &what;
    is_taken_ = is_done_ = false;
    changed_.notify_all();
    while (!is_taken_) {
        syscall(SYS_tgkill, getpid(), thread_.load(), wake_signal());
        changed_.wait_for(lock, std::chrono::milliseconds(1), [this] { return is_taken_; });
    }
    changed_.wait(lock, [this] { return is_done_; });
    job_ = nullptr;
    changed_.notify_all();
}

bool MappingGate::take_job()
{
    std::unique_lock lock(mutex_);
    if (!job_ || is_taken_)
        return false;
    is_taken_ = true;
    changed_.notify_all();
    lock.unlock();
    (*job_)();
    lock.lock();
    is_done_ = true;
    changed_.notify_all();
    return true;
}

/// Waits for an event of a traced process or child. Returns false if there are no such processes.
bool MappingGate::wait_for_event()
{
    if (tracees_.empty() && children_.empty())
        return false;
    int status = 0;
    const pid_t thread = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (thread < 0) {
        if (errno == ECHILD) {
            tracees_.clear();
            children_.clear();
        }
        release_overdue();
        return true;
    }
    if (WIFSTOPPED(status)) {
        take_stop(thread, status);
        return true;
    }
    if (children_.contains(thread)) {
        const std::lock_guard lock(mutex_);
        ends_[thread] = status;
    }
    forget(thread);
    return true;
}

void MappingGate::wait_for_end(pid_t child)
{
    call([&] {
        while (children_.contains(child) && wait_for_event())
            continue;
    });
}

std::optional<int> MappingGate::end_of(pid_t child) const
{
    const std::lock_guard lock(mutex_);
    const auto found = ends_.find(child);
    return found == ends_.end() ? std::nullopt : std::optional(found->second);
}

void MappingGate::tell(std::string problem)
{
    const std::lock_guard lock(mutex_);
    if (reported_.insert(problem))
        problems_.push_back(std::move(problem));
}

std::vector<std::string> MappingGate::take_problems()
{
    const LoaderHook* const hook = open_hook_;
    if (hook && hook->unheld() != 0)
        tell("cannot stop a thread that blocks all signals when it loads a library: its calls before the probes are "
             "attached are missed");
    const std::lock_guard lock(mutex_);
    return std::exchange(problems_, {});
}

// ---- seizing processes --------------------------------------------------------------------------------------------

void MappingGate::open_hook()
{
    if (hook_)
        return;
    hook_.emplace(proc_, by_);
    if (const Result<void> opened = hook_->open(); !opened)
        tell("cannot stop a process while it loads a library: calls made before the library's probes are attached are "
             "missed (" +
             opened.error().message + ")");
    open_hook_ = &*hook_;
}

long MappingGate::options() const
{
    return mode_ == Children::Leave ? kOptions : kOptionsOfTrees;
}

void MappingGate::seize(const std::vector<pid_t>& processes, Children children)
{
    open_hook();
    gating_ = true;
    seen_.clear();
    mode_ = children;
    for (const pid_t process : processes) {
        if (is_left_alone(process))
            continue;
        while (seize_threads(process)) // repeats until all threads are seized, because new threads may start meanwhile
            continue;
        if (!tracee_of(process))
            continue;
        hook_->add(process);
        hook_->hook(process);
    }
}

/// Returns whether the program in the process may use ptrace(2) itself. A process can have only one tracer, so this
/// gate does not trace such a program.
bool MappingGate::is_left_alone(pid_t process)
{
    const std::string file = process_folder(proc_, process) + "/exe";
    UntrustedFiles files(by_); // a separate UntrustedFiles instance, because its readers become children of this thread
    if (!may_use_ptrace(files, file))
        return false;
    std::error_code error;
    tell(std::filesystem::read_symlink(file, error).filename().string() +
         " may use ptrace(2), like debuggers and leak checkers: dtrace does not stop it or its child processes when "
         "they map a file, so their calls before the probes are attached are missed");
    return true;
}

/// Seizes all threads of the process that are not traced yet. Returns true if there were any.
bool MappingGate::seize_threads(pid_t process)
{
    bool is_new = false;
    const std::string tasks = proc_ + "/" + std::to_string(process) + "/task";
    std::error_code error;
    for (auto each = std::filesystem::directory_iterator(tasks, error);
         !error && each != std::filesystem::directory_iterator(); each.increment(error)) {
        const pid_t thread = std::atoi(each->path().filename().c_str());
        if (tracees_.contains(thread))
            continue;
        // children_ contains `thread` if it is a stopped child, which the gate's thread may already trace
        const auto child = children_.find(thread);
        if (child != children_.end() ? child->second
                                     : ptrace(PTRACE_SEIZE, thread, nullptr, as_argument(options())) == 0) {
            tracees_[thread] = {process, process, 0, {}, {}, false};
            is_new = true;
            continue;
        }
        const int code = child != children_.end() ? EPERM : errno;
        if (thread == process && thread_with_memory(proc_, process) != process)
            continue; // the first thread has ended and cannot be traced
        const pid_t other = number_in(read_proc_file(tasks + "/" + std::to_string(thread) + "/status"), "TracerPid");
        if (code != ESRCH)
            tell("cannot stop process " + std::to_string(process) +
                 " when it maps a file: its calls before the probes are attached are missed (" +
                 (other != 0 ? "process " + std::to_string(other) + " traces it" : std::strerror(code)) + ")");
    }
    return is_new;
}

void MappingGate::begin(pid_t child)
{
    if (!tracees_.contains(child)) {
        ptrace(PTRACE_DETACH, child, nullptr, nullptr);
        return;
    }
    ptrace(PTRACE_SETOPTIONS, child, nullptr, as_argument(options()));
    resume_thread(child, 0);
}

/// Returns the entry for a thread or process that the kernel has attached to this tracer automatically, because its
/// parent is traced. If the process is not to be traced, detaches it, so that it runs on, and returns null.
MappingGate::Tracee* MappingGate::adopt(pid_t thread)
{
    const auto known = tracees_.find(thread);
    if (known != tracees_.end())
        return &known->second;
    const std::string status = read_proc_file(proc_ + "/" + std::to_string(thread) + "/status");
    const pid_t process = number_in(status, "Tgid");
    const Tracee* of = tracee_of(process);
    // if the process is already traced, the thread is not a new child process: it called exec and thereby got the id of
    // the process's first thread
    const bool is_child = process == thread && !of;
    if (is_child)
        of = tracee_of(number_in(status, "PPid"));
    const pid_t origin = of ? of->origin : 0;
    if (is_child && mode_ == Children::Leave) {
        ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
        return nullptr;
    }
    if (is_child)
        hook_->add(process);
    return &(tracees_[thread] = {process, origin, 0, {}, {}, false});
}

void MappingGate::forget(pid_t thread)
{
    release(thread);
    children_.erase(thread);
    const auto tracee = tracees_.find(thread);
    if (tracee == tracees_.end())
        return;
    const pid_t process = tracee->second.process;
    tracees_.erase(tracee);
    if (hook_ && !tracee_of(process))
        hook_->remove(process);
}

/// Returns the entry for the process's first thread, or for another thread if the first one has ended.
const MappingGate::Tracee* MappingGate::tracee_of(pid_t process) const
{
    const auto first = tracees_.find(process);
    if (first != tracees_.end())
        return &first->second;
    const auto is_of_it = [process](const auto& each) { return each.second.process == process; };
    const auto other = std::find_if(tracees_.begin(), tracees_.end(), is_of_it);
    return other != tracees_.end() ? &other->second : nullptr;
}

// ---- events of traced processes -----------------------------------------------------------------------------------

void MappingGate::take_stop(pid_t thread, int status)
{
    if (!adopt(thread))
        return;
    const int signal = WSTOPSIG(status), event = status >> 16;
    const bool is_job_control = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
    if (event == PTRACE_EVENT_EXEC)
        take_exec(thread);
    else if (event == PTRACE_EVENT_STOP && is_job_control)
        ptrace(PTRACE_LISTEN, thread, nullptr, nullptr); // the thread stays stopped until its process receives SIGCONT
    else if (event == 0)
        take_signal(thread, signal);
    else
        resume_thread(thread, 0);
}

/// Handles an exec event, which occurs before the new program's first instruction. If the program needs a loader, it is
/// stopped later, when the loader has mapped the program's libraries.
void MappingGate::take_exec(pid_t thread)
{
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &former) == 0 && static_cast<pid_t>(former) != thread) {
        tracees_.erase(static_cast<pid_t>(former)); // another thread called exec and now has the process's id
        tracees_[thread].is_replaced = true;
    }
    const Tracee tracee = tracees_[thread];
    if ((mode_ == Children::UntilExec && tracee.origin != tracee.process) || (gating_ && is_left_alone(thread))) {
        ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
        return forget(thread);
    }
    if (!gating_)
        return resume_thread(thread, 0);
    const LoaderHook::Loader loader = hook_->hook(thread);
    if (loader == LoaderHook::Loader::Hooked)
        return resume_thread(thread, 0);
    if (loader == LoaderHook::Loader::Unhooked)
        tell("cannot stop a program with an unknown loader when it loads a library: its calls before the probes are "
             "attached are missed");
    hold(thread);
}

void MappingGate::take_signal(pid_t thread, int signal)
{
    const bool may_be = signal == SIGURG || signal == SIGWINCH || signal == SIGCHLD;
    if (may_be && hook_ && hook_->sent(thread, signal))
        hold(thread);
    else
        resume_thread(thread, signal);
}

/// Returns the files whose code the process has mapped and for which it has not been stopped yet.
std::vector<MappingGate::File> MappingGate::new_files(const Tracee& tracee) const
{
    std::vector<File> found;
    std::string process, maps;
    do {
        process = process_folder(proc_, tracee.process);
        maps = read_proc_file(process + "/maps");
        // repeats with another thread if the thread whose maps file was read has ended
    } while (process_folder(proc_, tracee.process) != process);
    std::istringstream lines(maps);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string range, rights, offset, device;
        uint64_t inode = 0;
        words >> range >> rights >> offset >> device >> inode;
        File file{tracee.origin, device, inode};
        if (inode != 0 && rights.size() > 2 && rights[2] == 'x' && !seen_.contains(file))
            found.push_back(std::move(file));
    }
    return found;
}

void MappingGate::hold(pid_t thread)
{
    Tracee& tracee = tracees_[thread];
    tracee.files = gating_ ? new_files(tracee) : std::vector<File>();
    if (tracee.files.empty() && !std::exchange(tracee.is_replaced, false))
        return resume_thread(thread, 0);
    tracee.held = ++holds_;
    tracee.until = Clock::now() + std::chrono::seconds(kLongestHoldSeconds);
    const itimerspec after{{}, {kLongestHoldSeconds, 1'000'000}};
    timer_settime(timer_, 0, &after, nullptr);
    const std::lock_guard lock(mutex_);
    held_.push_back({thread, tracee.process, tracee.held});
    count_ = held_.size();
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(event_, &one, sizeof one);
}

void MappingGate::resume_thread(pid_t thread, int signal)
{
    ptrace(PTRACE_CONT, thread, nullptr, as_argument(signal));
}

// ---- held threads -------------------------------------------------------------------------------------------------

/// Removes the thread from the list of held threads.
void MappingGate::release(pid_t thread)
{
    const auto tracee = tracees_.find(thread);
    if (tracee == tracees_.end() || std::exchange(tracee->second.held, 0) == 0)
        return;
    const std::lock_guard lock(mutex_);
    std::erase_if(held_, [thread](const StoppedThread& one) { return one.thread == thread; });
    count_ = held_.size();
    uint64_t value = 0;
    if (held_.empty()) [[maybe_unused]]
        const ssize_t got = read(event_, &value, sizeof value);
}

void MappingGate::release_overdue()
{
    const auto now = Clock::now();
    for (auto& [thread, tracee] : tracees_) {
        if (tracee.held == 0 || now < tracee.until)
            continue;
        tell("process " + std::to_string(tracee.process) + " was stopped for " + std::to_string(kLongestHoldSeconds) +
             " s after it mapped a file, and now continues: its calls before the probes are attached are missed");
        release(thread);
        resume_thread(thread, 0);
    }
}

std::vector<MappingGate::StoppedThread> MappingGate::held() const
{
    const std::lock_guard lock(mutex_);
    return held_;
}

void MappingGate::resume(const std::vector<StoppedThread>& held)
{
    if (held.empty())
        return;
    call([&] {
        for (const StoppedThread& one : held) {
            const auto tracee = tracees_.find(one.thread);
            if (tracee == tracees_.end() || tracee->second.held != one.number)
                continue;
            for (const File& file : tracee->second.files)
                seen_.insert(file);
            release(one.thread);
            resume_thread(one.thread, 0);
        }
    });
}

void MappingGate::stop_gating()
{
    call([this] { gating_ = false; });
    resume(held());
}

// Name of the symbol by which programs that call ptrace() are detected. Sanitizers make the system call without this
// function, so programs built with a sanitizer are detected by the sanitizer's symbols.

namespace {

constexpr std::array<std::string_view, 4> kNames = {"ptrace", "__asan_init", "__lsan_init", "__hwasan_init"};

bool names_ptrace(const std::string& path)
{
    const ElfFile file(path);
    bool is_used = false;
    if (file.get())
        for_each_symbol(file.get(), [&](const GElf_Sym&, std::string_view text) {
            is_used |= std::find(kNames.begin(), kNames.end(), without_version(text)) != kNames.end();
        });
    return is_used;
}

} // namespace

bool may_use_ptrace(UntrustedFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return std::string(names_ptrace(std::string(file)) ? "1" : "");
    };
    const Result<std::string> answer = files.read(path, read, path);
    return answer && !answer.value().empty();
}

} // namespace dt
