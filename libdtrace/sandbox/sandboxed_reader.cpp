// Runs a sandboxed reader and communicates with it over a socket pair. A request consists of a function, a size and
// bytes; an answer consists of a size and bytes. The child's first message reports that its sandbox is complete. It may
// carry a descriptor through which the kernel reports the files that the child wants to open.
#include "libdtrace/sandbox/sandboxed_reader.hpp"

#include <elf.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "base/time.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr int kNoMemory = 3;      ///< exit status of a reader that ran out of memory
constexpr int kLookMs = 20;       ///< interval in ms between checks of the time limits
constexpr int kTimeoutFactor = 3; ///< limit of a request's elapsed time, as a multiple of the limit of its CPU time
constexpr int64_t kNsOfSecond = 1'000'000'000;

struct Request {
    ReadFunction function = nullptr;
    uint64_t size = 0;
};

bool send_all(int socket, const void* bytes, std::size_t size)
{
    const char* at = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += std::max<ssize_t>(sent, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    }
    return true;
}

bool take_all(int socket, void* bytes, std::size_t size)
{
    char* at = static_cast<char*>(bytes);
    while (size > 0) {
        const ssize_t got = ::read(socket, at, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += std::max<ssize_t>(got, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return true;
}

/// A message that consists of one byte and may carry a descriptor.
struct OneByte {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};

    OneByte()
    {
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = space;
        message.msg_controllen = sizeof space;
    }
};

void report_sandboxed(int socket, int opening)
{
    OneByte said;
    if (opening >= 0) {
        cmsghdr* const header = CMSG_FIRSTHDR(&said.message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof opening);
        std::memcpy(CMSG_DATA(header), &opening, sizeof opening);
    } else {
        said.message.msg_control = nullptr;
        said.message.msg_controllen = 0;
    }
    sendmsg(socket, &said.message, MSG_NOSIGNAL);
    if (opening >= 0)
        ::close(opening);
}

/// Runs in the reader: executes requests until the socket is closed.
[[noreturn]] void serve(int socket, uint64_t memory, ReaderPreparation prepare)
{
    report_sandboxed(socket, prepare(socket, memory));
    ReaderState state;
    Request request;
    try {
        while (take_all(socket, &request, sizeof request)) {
            std::string text(request.size, '\0');
            if (!take_all(socket, text.data(), text.size()))
                break;
            const std::string answer = request.function(state, text);
            const uint64_t size = answer.size();
            if (!send_all(socket, &size, sizeof size) || !send_all(socket, answer.data(), answer.size()))
                break;
        }
    } catch (const std::bad_alloc&) {
        _exit(kNoMemory);
    }
    _exit(0);
}

int64_t cpu_ns(pid_t pid)
{
    clockid_t clock{};
    timespec used{};
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0 ? nanoseconds(used) : 0;
}

} // namespace

Result<std::unique_ptr<SandboxedReader>> SandboxedReader::start(const ReaderBounds& bounds, ReaderPreparation prepare)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return Error{std::strerror(errno), errno};
    // Blocks all signals in the child, because signals of the terminal reach it too. The child must not run the
    // tracer's signal handlers. It need not end at a signal, because the tracer ends it. Fatal faults end the child
    // even if their signals are blocked.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t tracer = getpid(), pid = fork();
    const int failure = errno;
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != tracer)
            _exit(0);
        serve(sockets[1], bounds.memory, prepare);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(sockets[1]);
    if (pid < 0) {
        ::close(sockets[0]);
        return Error{std::strerror(failure), failure};
    }
    return std::unique_ptr<SandboxedReader>(new SandboxedReader(pid, sockets[0], bounds));
}

SandboxedReader::~SandboxedReader()
{
    end();
}

void SandboxedReader::end()
{
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    for (int* const descriptor : {&socket_, &opening_})
        if (*descriptor >= 0)
            ::close(std::exchange(*descriptor, -1));
    pid_ = -1;
}

Result<std::string> SandboxedReader::query(ReadFunction function, std::string_view request,
                                           const std::atomic<bool>* stop)
{
    if (pid_ < 0)
        return Error{"is gone", ESRCH};
    ++asked_;
    max_cpu_ns_ = cpu_ns(pid_) + bounds_.seconds * kNsOfSecond;
    said_ns_ = now_ns(CLOCK_MONOTONIC);
    deadline_ns_ = said_ns_ + kTimeoutFactor * bounds_.seconds * kNsOfSecond;
    const Request head{function, request.size()};
    uint64_t size = 0;
    if (!send_all(socket_, &head, sizeof head) || !send_all(socket_, request.data(), request.size()))
        return Error{what_became(), EIO};
    if (const Result<void> got = receive(reinterpret_cast<char*>(&size), sizeof size, stop); !got)
        return got.error();
    if (size > bounds_.answer) {
        end();
        return Error{"returned more than " + std::to_string(bounds_.answer >> 20) + " MB", EFBIG};
    }
    std::string answer(size, '\0');
    if (const Result<void> got = receive(answer.data(), answer.size(), stop); !got)
        return got.error();
    return answer;
}

Result<void> SandboxedReader::receive(char* to, std::size_t size, const std::atomic<bool>* stop)
{
    while (size > 0) {
        if (const Result<void> ready = wait(stop); !ready)
            return ready;
        const ssize_t got = receive_some(to, size);
        if (got == 0)
            return Error{what_became(), EIO};
        to += std::max<ssize_t>(got, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return {};
}

/// Receives the next bytes of the answer. Returns the number of received bytes, 0 if the reader has ended, or -1 if no
/// bytes have arrived yet.
ssize_t SandboxedReader::receive_some(char* to, std::size_t size)
{
    const bool is_first = opening_ == kUnknown;
    OneByte said;
    const ssize_t got = is_first ? recvmsg(socket_, &said.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)
                                 : ::recv(socket_, to, size, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    if (got == 0 || !is_first)
        return got;
    opening_ = kNone;
    const cmsghdr* const header = CMSG_FIRSTHDR(&said.message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof opening_))
        std::memcpy(&opening_, CMSG_DATA(header), sizeof opening_);
    return -1;
}

/// Blocks until the reader sends data. While waiting, opens files for the reader.
Result<void> SandboxedReader::wait(const std::atomic<bool>* stop)
{
    while (true) {
        pollfd ready[] = {{socket_, POLLIN, 0}, {opening_, POLLIN, 0}};
        if (poll(ready, 2, kLookMs) > 0) {
            if (ready[1].revents & POLLIN)
                open_for_confined(opening_, pid_);
            if (ready[0].revents)
                return {};
        }
        report_waiting();
        const bool is_late = cpu_ns(pid_) > max_cpu_ns_ || now_ns(CLOCK_MONOTONIC) > deadline_ns_;
        if (!is_late && !(stop && *stop))
            continue;
        end();
        return is_late ? Error{"took more than " + std::to_string(bounds_.seconds) + " s", ETIME}
                       : Error{"was stopped", ECANCELED};
    }
}

void SandboxedReader::report_waiting()
{
    if (!waiting_ || now_ns(CLOCK_MONOTONIC) - said_ns_ < kNsOfSecond)
        return;
    said_ns_ = now_ns(CLOCK_MONOTONIC);
    waiting_();
}

/// Ends the reader's process. Returns a text for an error message that says how the process ended.
std::string SandboxedReader::what_became()
{
    // Maximum time in ms to wait for the exit status. It is needed because the kernel closes the sockets of a process
    // some time before the exit status is available.
    constexpr int kLooks = 1000;
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < kLooks && (ended = waitpid(pid_, &status, WNOHANG)) == 0; ++i)
        usleep(1000);
    if (ended == 0)
        return end(), "does not answer";
    pid_ = -1;
    end();
    if (ended > 0 && WIFSIGNALED(status))
        return std::string("crashed (") + strsignal(WTERMSIG(status)) + ")";
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory)
        return "needed more than " + std::to_string(bounds_.memory >> 20) + " MB of memory";
    return "ended";
}

// Sandboxes a reader with seccomp. The filter is a hand-written table: loading libseccomp takes longer than setting up
// the whole sandbox, and would delay each start of the tracer.
//
// An ELF file refers to further files (debug files, dwz files, .dwo files), which libdw opens itself. The kernel
// reports these open calls to the parent (seccomp_unotify(2)). The parent opens the file with its own rights, as it
// would if it parsed the file itself.

namespace {

/// system calls that the reader needs to read open files and to manage memory
constexpr std::array kReading = {
    SYS_read,    SYS_pread64, SYS_lseek,         SYS_fstat,          SYS_newfstatat,  SYS_sendto,
    SYS_recvmsg, SYS_sendmsg, SYS_close,         SYS_munmap,         SYS_mremap,      SYS_brk,
    SYS_madvise, SYS_futex,   SYS_getrandom,     SYS_sched_yield,    SYS_exit,        SYS_exit_group,
    SYS_getpid,  SYS_gettid,  SYS_clock_gettime, SYS_rt_sigprocmask, SYS_rt_sigreturn};

void allow_if(std::vector<sock_filter>& program, uint32_t call, std::vector<sock_filter> condition)
{
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, static_cast<uint8_t>(condition.size())));
    program.insert(program.end(), condition.begin(), condition.end());
}

/// Returns the offset within struct seccomp_data of the lower half of a system call argument.
constexpr uint32_t argument(std::size_t number)
{
    return static_cast<uint32_t>(offsetof(seccomp_data, args) + number * sizeof(uint64_t));
}

/// Creates the seccomp filter. `opening` is the filter's action for the system call openat().
std::vector<sock_filter> filter(uint32_t opening)
{
    constexpr uint32_t kWideLittle = __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
    const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
    std::vector<sock_filter> program = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine::native().elf | kWideLittle, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    };
    for (const long call : kReading)
        allow_if(program, static_cast<uint32_t>(call), {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
    allow_if(program, SYS_openat, {BPF_STMT(BPF_RET | BPF_K, opening)});
    for (const uint32_t call : {SYS_mmap, SYS_mprotect}) // allows these calls only for memory that is not executable
        allow_if(program, call,
                 {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument(2)),
                  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), BPF_STMT(BPF_RET | BPF_K, refused),
                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
    // allowed because abort() uses tgkill() to send a signal to its own thread
    allow_if(program, SYS_tgkill,
             {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument(0)),
              BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(getpid()), 1, 0),
              BPF_STMT(BPF_RET | BPF_K, refused), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
    program.push_back(BPF_STMT(BPF_RET | BPF_K, refused));
    return program;
}

int install(uint32_t opening, unsigned flags)
{
    std::vector<sock_filter> program = filter(opening);
    sock_fprog wanted{static_cast<uint16_t>(program.size()), program.data()};
    return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &wanted));
}

std::string own_file(const char* name)
{
    std::string text;
    const int file = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return text;
    char block[8192];
    for (ssize_t got; (got = ::read(file, block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(got));
    ::close(file);
    return text;
}

/// Unmaps the BPF maps that the tracer shares with the kernel, because a reader must not access them.
void unmap_shared(std::string_view maps)
{
    while (!maps.empty()) {
        const std::string line(maps.substr(0, maps.find('\n')));
        maps.remove_prefix(std::min(line.size() + 1, maps.size()));
        char* end = nullptr;
        const uint64_t first = std::strtoull(line.c_str(), &end, 16), last = std::strtoull(end + 1, &end, 16);
        // a shared mapping has an 's' at this position in " rw-s"
        constexpr std::size_t kShared = 4;
        if (std::strlen(end) > kShared && end[kShared] == 's')
            munmap(reinterpret_cast<void*>(first), last - first); // NOLINT(performance-no-int-to-ptr)
    }
}

void set_limit(__rlimit_resource which, uint64_t most)
{
    const rlimit limit{most, most};
    setrlimit(which, &limit);
}

/// Returns the size in bytes of the process's private writable memory.
uint64_t data_bytes()
{
    const std::string text = own_file("/proc/self/statm");
    std::size_t at = 0;
    // the data segment's size is the sixth field of /proc/PID/statm
    constexpr int kData = 5;
    for (int i = 0; i < kData && at != std::string::npos; ++i)
        at = text.find(' ', at + (i == 0 ? 0 : 1));
    return at == std::string::npos
               ? 0
               : std::strtoull(text.c_str() + at, nullptr, 10) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void be_first_to_go()
{
    const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    constexpr std::string_view kMax = "1000";
    static_cast<void>(!::write(file, kMax.data(), kMax.size()));
    ::close(file);
}

/// Prepares the child: closes all descriptors whose number is at least `first`, except the socket, unmaps shared
/// memory, and sets limits.
void be_child(const char* name, unsigned first, int socket, uint64_t memory)
{
    const auto only = static_cast<unsigned>(socket);
    if (only > first)
        close_range(first, only - 1, 0);
    close_range(only + 1, UINT_MAX, 0);
    prctl(PR_SET_NAME, name);
    be_first_to_go();
    unmap_shared(own_file("/proc/self/maps"));
    set_limit(RLIMIT_DATA, data_bytes() + memory);
    set_limit(RLIMIT_CORE, 0);
}

/// Reads a path from the child's memory. The memory may end right after the path, so it is read in two parts. Returns
/// an empty text on failure.
std::string name_at(pid_t child, uint64_t address)
{
    std::array<char, PATH_MAX> name{};
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const std::size_t first = std::min<std::size_t>(page - address % page, name.size());
    const iovec here{name.data(), name.size()};
    const std::array<iovec, 2> there = {
        iovec{reinterpret_cast<void*>(address), first},                        // NOLINT(performance-no-int-to-ptr)
        iovec{reinterpret_cast<void*>(address + first), name.size() - first}}; // NOLINT(performance-no-int-to-ptr)
    const ssize_t got = process_vm_readv(child, &here, 1, there.data(), there.size(), 0);
    const std::size_t size = strnlen(name.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    return got > 0 && size < static_cast<std::size_t>(got) ? std::string(name.data(), size) : std::string();
}

/// Opens an ELF file for the child. Returns -1 if the child must not read the file.
int open_elf(const std::string& name)
{
    struct stat status {};
    if (name.empty() || stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        // Refuses a file that is not regular, because opening a device or FIFO could have side effects.
        return -1;
    const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    Elf64_Ehdr header{}; // the members of the header that this function uses have the same offsets in Elf32_Ehdr
    constexpr auto kLooked = static_cast<ssize_t>(offsetof(Elf64_Ehdr, e_machine));
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        pread(file, &header, kLooked, 0) == kLooked && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_type != ET_CORE)
        return file;
    if (file >= 0)
        ::close(file);
    return -1;
}

} // namespace

int be_compiler(int socket, uint64_t memory)
{
    be_child("dtrace-compiler", STDERR_FILENO + 1, socket, memory);
    return -1;
}

int be_kernel_reader(int socket, uint64_t memory)
{
    be_child("dtrace-symbols", STDERR_FILENO + 1, socket, memory);
    return -1;
}

int confine(int socket, uint64_t memory)
{
    be_child("dtrace-reader", 0, socket, memory);
    set_limit(RLIMIT_FSIZE, 0);
    cap_reset_ambient();
    const cap_t none = cap_init();
    if (none)
        cap_set_proc(none);
    cap_free(none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const int opening = install(SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (opening < 0) // the call fails if the container's runtime already listens for the reports of a seccomp filter
        install(SECCOMP_RET_ERRNO | EPERM, 0);
    return opening;
}

void open_for_confined(int opening, pid_t child)
{
    seccomp_notif asked{};
    if (ioctl(opening, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
        return;
    const int file = open_elf(name_at(child, asked.data.args[1]));
    seccomp_notif_addfd given{};
    given.id = asked.id;
    given.flags = SECCOMP_ADDFD_FLAG_SEND;
    given.srcfd = static_cast<uint32_t>(file);
    given.newfd_flags = O_CLOEXEC;
    const bool is_given = file >= 0 && ioctl(opening, SECCOMP_IOCTL_NOTIF_ADDFD, &given) >= 0;
    if (file >= 0)
        ::close(file);
    seccomp_notif_resp refused{};
    refused.id = asked.id;
    refused.error = -ENOENT;
    if (!is_given)
        ioctl(opening, SECCOMP_IOCTL_NOTIF_SEND, &refused);
}

} // namespace dt
