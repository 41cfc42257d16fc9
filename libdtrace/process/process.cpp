// Starts and watches the processes of -c and -p.
//
// A command is started under ptrace and stopped after exec, when it has its new image, pid and name. Then it runs to
// its HoldPoint (-x evaltime) and waits there for tracing to start. A command is killed when this process ends: by
// PTRACE_O_EXITKILL while it is held, later by its parent-death signal. A pidfd reports the end of each process.
// Commands are children of the mapping gate's thread, which may continue to trace them.
#include "libdtrace/process/process.hpp"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/identification.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

std::vector<std::string> split_words(std::string_view text)
{
    std::vector<std::string> words;
    static constexpr std::string_view kBlank = " \t\n\v\f\r";
    for (auto start = text.find_first_not_of(kBlank); start != std::string_view::npos;
         start = text.find_first_not_of(kBlank, start)) {
        const auto end = std::min(text.find_first_of(kBlank, start), text.size());
        words.emplace_back(text.substr(start, end - start));
        start = end;
    }
    return words;
}

/// Runs in the child and executes the command. Calls only async-signal-safe functions. On failure, writes errno to the
/// pipe `report`.
[[noreturn]] void become(char* const* arguments, int begin, int report, int output)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // the command must not outlive this process
    signal(SIGPIPE, SIG_DFL);
    int error = 0;
    if (output != STDOUT_FILENO)
        dup2(output, STDOUT_FILENO);
    char seized = 0;
    while (read(begin, &seized, 1) < 0 && errno == EINTR)
        continue;
    if (seized || ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0)
        execvp(arguments[0], arguments);
    error = errno;
    [[maybe_unused]] const ssize_t sent = write(report, &error, sizeof error);
    _exit(127);
}

/// Waits until the child stops after exec. Signals that arrive before that stop are delivered to the child. Returns 0,
/// or an errno if the command was not executed.
int wait_for_exec(pid_t pid, int report)
{
    int status = 0;
    for (;;) {
        while (waitpid(pid, &status, 0) < 0)
            if (errno != EINTR)
                return ECHILD;
        if (!WIFSTOPPED(status) || WSTOPSIG(status) == SIGTRAP)
            break;
        ptrace(PTRACE_CONT, pid, nullptr, status >> 16 != 0 ? 0 : WSTOPSIG(status));
    }
    int error = 0;
    // The other end of the pipe is closed if exec succeeds or the child exits; read() then returns 0.
    const ssize_t got = read(report, &error, sizeof error);
    if (got == static_cast<ssize_t>(sizeof error))
        return error;
    return WIFSTOPPED(status) ? 0 : ECHILD;
}

/// Returns the process id of a thread; 0 if the thread does not exist, or if its id is equal to the process id.
pid_t process_of_thread(const std::string& proc, pid_t thread)
{
    std::ifstream status(proc + "/" + std::to_string(thread) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("Tgid:")) {
            const pid_t process = std::atoi(line.c_str() + 5);
            return process != thread ? process : 0;
        }
    return 0;
}

int send_signal(int pidfd, int signal)
{
    return static_cast<int>(syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0));
}

int open_pidfd(pid_t pid)
{
    return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
}

} // namespace

Processes::Processes(std::string proc, std::string_view follow, ReadBy by)
    : proc_(std::move(proc)), by_(by), children_(follow == "fork"   ? MappingGate::Children::UntilExec
                                                 : follow == "exec" ? MappingGate::Children::Seize
                                                                    : MappingGate::Children::Leave)
{
}

Processes::~Processes()
{
    for (Process& process : list_) {
        if (process.is_child) {
            if (!process.gone)
                send_signal(process.pidfd, SIGKILL);
            gate_->wait_for_end(process.pid);
        }
        if (process.pidfd >= 0)
            close(process.pidfd);
    }
}

MappingGate& Processes::gate()
{
    if (!gate_)
        gate_ = std::make_unique<MappingGate>(proc_, by_);
    return *gate_;
}

Result<void> Processes::watch(Process process)
{
    process.pidfd = open_pidfd(process.pid);
    if (process.pidfd < 0) {
        const int code = errno;
        const pid_t owner = code == EINVAL || code == ENOENT ? process_of_thread(proc_, process.pid) : 0;
        if (owner != 0)
            return Error{std::to_string(process.pid) + " is a thread of process " + std::to_string(owner) +
                             ": use -p " + std::to_string(owner),
                         EINVAL};
        return Error{code == EINVAL ? std::strerror(ESRCH) : std::strerror(code), code};
    }
    list_.push_back(process);
    return {};
}

Result<void> Processes::create(std::string_view command, HoldPoint point, int output)
{
    const auto failed = [&](int code) {
        return Error{"failed to execute " + std::string(command) + ": " + std::strerror(code), code};
    };
    auto split = command_words(command);
    if (!split)
        return Error{"failed to execute " + std::string(command) + ": " + split.error().message, split.error().code};
    std::vector<std::string>& words = split->words;
    if (words.empty())
        return failed(ENOENT);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    Result<void> started;
    gate().call([&] { started = start(command, arguments, point, output); });
    return started;
}

/// Starts a command in the mapping gate's thread. The gate seizes the child, which leaves its signals and job control
/// unchanged. If seizing is not permitted, the child itself requests to be traced.
Result<void> Processes::start(std::string_view command, std::vector<char*>& arguments, HoldPoint point, int output)
{
    const auto failed = [&](int code) {
        return Error{"failed to execute " + std::string(command) + ": " + std::strerror(code), code};
    };
    int begin[2], report[2];
    if (pipe2(begin, O_CLOEXEC) != 0)
        return failed(errno);
    if (pipe2(report, O_CLOEXEC) != 0) {
        const int code = errno;
        close(begin[0]);
        close(begin[1]);
        return failed(code);
    }
    const pid_t pid = fork();
    if (pid == 0)
        become(arguments.data(), begin[0], report[1], output);
    const int fork_error = errno;
    close(report[1]);
    close(begin[0]);
    const char seized = pid > 0 && ptrace(PTRACE_SEIZE, pid, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC) == 0;
    [[maybe_unused]] const ssize_t written = write(begin[1], &seized, 1);
    close(begin[1]);
    const int error = pid < 0 ? fork_error : wait_for_exec(pid, report[0]);
    close(report[0]);
    if (error != 0)
        return failed(error);
    ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL);
    if (!run_to(proc_, pid, point, by_))
        return Error{"failed to execute " + std::string(command) + ": it ended before its main program began", ECHILD};
    gate_->add_child(pid, seized);
    const Result<void> watched = watch({pid, -1, true, true, false});
    if (!watched) {
        kill(pid, SIGKILL);
        return failed(watched.error().code);
    }
    return {};
}

Result<void> Processes::attach(std::string_view pid_text)
{
    pid_t pid = 0;
    // Accepts blanks around the number, as in the output of $(pidof …) or a column of ps.
    const std::vector<std::string> words = split_words(pid_text);
    const std::string digits = words.size() == 1 ? words[0] : std::string();
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, pid);
    if (error == std::errc::result_out_of_range)
        return Error{std::strerror(ESRCH), ESRCH};
    if (error != std::errc{} || stop != end || pid <= 0)
        return Error{"invalid pid: " + std::string(pid_text), EINVAL};
    return watch({pid, -1, false, false, false});
}

void Processes::seize()
{
    if (!list_.empty())
        gate().call([this] { gate_->seize(pids(), children_); });
}

void Processes::release()
{
    const bool is_any = std::any_of(list_.begin(), list_.end(), [](const Process& process) { return process.held; });
    const auto release = [this] {
        for (Process& process : list_)
            if (std::exchange(process.held, false))
                gate_->begin(process.pid);
    };
    if (is_any)
        gate_->call(release);
}

void Processes::resume(const std::vector<MappingGate::StoppedThread>& stopped_threads)
{
    if (gate_)
        gate_->resume(stopped_threads);
}

void Processes::stop_gating()
{
    if (gate_)
        gate_->stop_gating();
}

bool Processes::all_gone()
{
    bool running = list_.empty();
    for (Process& process : list_) {
        if (process.gone)
            continue;
        pollfd ended{process.pidfd, POLLIN, 0};
        process.gone = poll(&ended, 1, 0) == 1;
        running |= !process.gone;
    }
    return !running;
}

std::optional<int> Processes::status(pid_t pid)
{
    all_gone();
    for (const Process& process : list_) {
        if (process.pid != pid || !process.is_child || !process.gone)
            continue;
        gate_->wait_for_end(pid);
        return gate_->end_of(pid);
    }
    return std::nullopt;
}

std::vector<pid_t> Processes::pids() const
{
    std::vector<pid_t> pids;
    for (const Process& process : list_)
        if (!process.gone)
            pids.push_back(process.pid);
    return pids;
}

bool Processes::is_one(int64_t pid) const
{
    return std::any_of(list_.begin(), list_.end(), [pid](const Process& process) { return process.pid == pid; });
}

bool Processes::is_running(int64_t pid) const
{
    return std::any_of(list_.begin(), list_.end(),
                       [pid](const Process& process) { return process.pid == pid && !process.gone; });
}

bool Processes::is_held(int64_t pid) const
{
    return std::any_of(list_.begin(), list_.end(),
                       [pid](const Process& process) { return process.pid == pid && process.held; });
}

std::vector<int> Processes::descriptors() const
{
    std::vector<int> descriptors;
    for (const Process& process : list_)
        if (!process.gone)
            descriptors.push_back(process.pidfd);
    if (gate_)
        descriptors.push_back(gate_->descriptor());
    return descriptors;
}

void Processes::add_later_file(const std::string& path)
{
    // Maximum length of the list of files that processes have mapped since the run began. If the list is full, the
    // oldest file is removed: it gets no new probes, but the probes that are already attached stay attached.
    constexpr std::size_t kMaxLaterFiles = 4096;
    if (std::find(known_later_files_.begin(), known_later_files_.end(), path) != known_later_files_.end())
        return;
    if (known_later_files_.size() == kMaxLaterFiles)
        known_later_files_.erase(known_later_files_.begin());
    known_later_files_.push_back(path);
}

// Stops a process by a ptrace(2) breakpoint at its entry point or main(). The entry point is in the process's auxiliary
// vector. The distance between main() and the entry point is the same in the process and in the file.

namespace {

/// The registers as PTRACE_GETREGSET returns them. Those registers that this file uses have the same offsets as in
/// struct pt_regs.
using Registers = std::array<uint64_t, sizeof(user_regs_struct) / sizeof(uint64_t)>;

template <typename Entry> std::optional<uint64_t> entry_point_in(const std::string& text)
{
    for (std::size_t at = 0; at + sizeof(Entry) <= text.size(); at += sizeof(Entry)) {
        Entry entry;
        text.copy(reinterpret_cast<char*>(&entry), sizeof entry, at);
        if (entry.a_type == AT_ENTRY)
            return entry.a_un.a_val;
    }
    return std::nullopt;
}

std::optional<uint64_t> entry_point(const std::string& process)
{
    const std::string text = read_proc_file(process + "/auxv");
    if (!identify_elf(process + "/exe").is_narrow)
        return entry_point_in<Elf64_auxv_t>(text);
    return machine::native().breakpoint.narrow_pc ? entry_point_in<Elf32_auxv_t>(text) : std::nullopt;
}

// Returns the address of main() in the process. Uses the symbols of the file that contains the entry point.
std::optional<uint64_t> main_function(const std::string& process, uint64_t entry, ReadBy by)
{
    std::vector<Mapping> mappings = parse_maps(read_proc_file(process + "/maps"));
    const Mapping* mapping = find_mapping(mappings, entry);
    if (!mapping)
        return std::nullopt;
    UntrustedFiles files(by); // an UntrustedFiles for this call only, because only one file is read
    const ElfSymbols symbols = ElfSymbols::of_untrusted(files, process + "/exe");
    const ElfSymbols::Symbol* found = symbols.find_name("main");
    if (!found)
        return std::nullopt;
    const uint64_t bias = entry - symbols.address_of_offset(entry - mapping->start + mapping->offset);
    return found->start + bias;
}

// Runs the process until it reaches the breakpoint. Signals that arrive before that are delivered to the process.
// Returns false if the process ends before it reaches the breakpoint.
bool run_to_trap(pid_t pid)
{
    for (int deliver = 0;;) {
        if (ptrace(PTRACE_CONT, pid, nullptr, reinterpret_cast<void*>(static_cast<intptr_t>(deliver))) != 0)
            return false;
        int status = 0;
        while (waitpid(pid, &status, 0) < 0)
            if (errno != EINTR)
                return false;
        if (!WIFSTOPPED(status))
            return false;
        // Whether the process has stopped because of a ptrace event (such as job control) and not because of a signal.
        const bool is_event = status >> 16 != 0;
        if (WSTOPSIG(status) == SIGTRAP && !is_event)
            return true;
        deliver = is_event ? 0 : WSTOPSIG(status);
    }
}

/// Moves the program counter from the address after the breakpoint (`from`) back to the breakpoint (`to`). The kernel
/// returns fewer and narrower registers for a 32-bit program.
void step_back(pid_t pid, uint64_t from, uint64_t to)
{
    Registers registers{};
    iovec area{&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, pid, reinterpret_cast<void*>(NT_PRSTATUS), &area) != 0)
        return;
    const bool is_narrow = area.iov_len < sizeof registers;
    const std::size_t size = is_narrow ? sizeof(uint32_t) : sizeof(uint64_t);
    const machine::Word word =
        is_narrow ? machine::native().breakpoint.narrow_pc.value_or(0) : machine::native().saved.pc;
    char* const counter = reinterpret_cast<char*>(registers.data()) + word * size;
    uint64_t pc = 0;
    std::memcpy(&pc, counter, size);
    if (pc != from)
        return;
    std::memcpy(counter, &to, size);
    ptrace(PTRACE_SETREGSET, pid, reinterpret_cast<void*>(NT_PRSTATUS), &area);
}

bool run_to_address(pid_t pid, uint64_t address)
{
    void* const at = reinterpret_cast<void*>(address);
    errno = 0;
    const long original = ptrace(PTRACE_PEEKTEXT, pid, at, nullptr);
    if (errno != 0)
        return true;
    const machine::Breakpoint& breakpoint = machine::native().breakpoint;
    const long patched = (original & ~breakpoint.mask) | breakpoint.instruction;
    if (ptrace(PTRACE_POKETEXT, pid, at, reinterpret_cast<void*>(patched)) != 0)
        return true;
    const bool trapped = run_to_trap(pid);
    ptrace(PTRACE_POKETEXT, pid, at, reinterpret_cast<void*>(original));
    if (trapped)
        step_back(pid, address + breakpoint.past, address);
    return trapped;
}

} // namespace

HoldPoint hold_point(std::string_view evaltime)
{
    return evaltime == "exec" ? HoldPoint::Exec : evaltime == "main" ? HoldPoint::Main : HoldPoint::Entry;
}

bool run_to(const std::string& proc, pid_t pid, HoldPoint point, ReadBy by)
{
    const std::string process = proc + "/" + std::to_string(pid);
    const std::optional<uint64_t> entry = point == HoldPoint::Exec ? std::nullopt : entry_point(process);
    if (!entry)
        return true;
    if (!run_to_address(pid, *entry))
        return false;
    const std::optional<uint64_t> main = point == HoldPoint::Main ? main_function(process, *entry, by) : std::nullopt;
    return !main || run_to_address(pid, *main);
}

// Splits a command line in one pass over its characters. Implements only the quoting of the shell's language (POSIX XCU
// 2.2).

namespace {

constexpr std::string_view kBlank = " \t\n\v\f\r";

/// Characters that only a shell interprets: kExpanded at every position, kOperators only at the beginning of a word,
/// because a URL may contain an &.
constexpr std::string_view kExpanded = "*$`", kOperators = "|&;<>";

class Splitter {
public:
    explicit Splitter(std::string_view text) : text_(text) {}

    Result<CommandWords> run()
    {
        for (; at_ < text_.size(); ++at_)
            if (const char c = text_[at_]; c == '\'' || c == '"') {
                if (!quoted(c))
                    return Error{std::string("the quotation mark ") + c + " is not closed", EINVAL};
            } else if (c == '\\' && at_ + 1 < text_.size()) {
                word() += text_[++at_];
            } else if (kBlank.find(c) != kBlank.npos) {
                end_word();
            } else {
                note_shell(c);
                word() += c;
            }
        end_word();
        return std::move(result_);
    }

private:
    std::string& word() { return word_ ? *word_ : word_.emplace(); }

    void end_word()
    {
        if (word_)
            result_.words.push_back(std::move(*word_));
        word_.reset();
    }

    void note_shell(char c)
    {
        const bool begins = kOperators.find(c) != kOperators.npos && !word_;
        if (!result_.shell_only.empty() || (!begins && kExpanded.find(c) == kExpanded.npos))
            return;
        const std::string_view rest = text_.substr(at_);
        result_.shell_only = begins ? rest.substr(0, rest.find_first_not_of(kOperators)) : rest.substr(0, 1);
    }

    /// Adds the characters up to the closing quote to the current word.
    bool quoted(char quote)
    {
        word();
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            const bool escapes = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                                 std::string_view("$`\"\\").find(text_[at_ + 1]) != std::string_view::npos;
            *word_ += escapes ? text_[++at_] : text_[at_];
        }
        return at_ < text_.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<std::string> word_;
    CommandWords result_;
};

} // namespace

Result<CommandWords> command_words(std::string_view text)
{
    return Splitter(text).run();
}

} // namespace dt
