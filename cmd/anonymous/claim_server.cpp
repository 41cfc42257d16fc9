#include "cmd/anonymous/claim_server.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cmd/anonymous/saved_program.hpp"
#include "cmd/common/messages.hpp"

namespace dt::anonymous {
namespace {

/// Descriptors of the keeper, the process that stores the tracer's output: its ends of the pipes to the tracer.
struct Ends {
    int output = -1, messages = -1;
    int started = -1;  ///< descriptor that becomes readable when tracing has begun
    int new_root = -1; ///< descriptor to which the keeper writes a byte when the root file system is mounted
};

sockaddr_un address_of(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

class ClaimServer {
public:
    ClaimServer(Ends ends, pid_t tracer, int listener, AnonymousPaths where)
        : ends_(ends), tracer_(tracer), listener_(listener), paths_(std::move(where)),
          tracer_ends_(static_cast<int>(syscall(SYS_pidfd_open, tracer, 0)))
    {
        for (const int descriptor : {ends_.output, ends_.messages})
            fcntl(descriptor, F_SETFL, O_NONBLOCK);
    }

    /// Blocks until the tracer has started tracing or has ended. Returns false if it could not start; it has then
    /// written its messages to standard error.
    bool wait_until_started()
    {
        while (true) {
            std::array<pollfd, 3> waits{
                {{ends_.started, POLLIN, 0}, {ends_.messages, POLLIN, 0}, {ends_.output, POLLIN, 0}}};
            poll(waits.data(), waits.size(), -1);
            const bool said = take(ends_.messages, FrameKind::Messages),
                       printed = take(ends_.output, FrameKind::Output);
            char byte = 0;
            if (waits[0].revents == 0)
                continue;
            if (read(ends_.started, &byte, 1) == 1)
                return true;
            if (!said && !printed)
                break;
        }
        reap();
        for (const Chunk& chunk : kept_)
            if (chunk.kind == FrameKind::Messages)
                std::fwrite(chunk.bytes.data(), 1, chunk.bytes.size(), stderr);
        return false;
    }

    /// Stores the tracer's output and serves clients, until the output was claimed and the tracer has ended.
    void keep()
    {
        while (!status_ || claimer_ < 0 || !has_all_given())
            turn();
        send_status();
    }

    int status() const { return status_.value_or(cmd::kFailure); }

private:
    struct Chunk {
        FrameKind kind;
        std::string bytes;
    };

    void turn()
    {
        const short reads = kept_bytes_ < kMaxKept ? POLLIN : 0;
        std::array<pollfd, 5> waits{{{reads ? ends_.output : -1, POLLIN, 0},
                                     {reads ? ends_.messages : -1, POLLIN, 0},
                                     {claimer_ < 0 ? listener_ : -1, POLLIN, 0},
                                     {claimer_, static_cast<short>(has_all_given() ? POLLIN : POLLIN | POLLOUT), 0},
                                     {status_ ? -1 : tracer_ends_, POLLIN, 0}}};
        if (poll(waits.data(), waits.size(), -1) < 0)
            return;
        if (waits[4].revents != 0)
            reap();
        if (waits[0].revents != 0)
            take(ends_.output, FrameKind::Output);
        if (waits[1].revents != 0)
            take(ends_.messages, FrameKind::Messages);
        if (waits[2].revents != 0)
            answer();
        if (waits[3].revents & (POLLIN | POLLHUP | POLLERR))
            hear_claimer();
        if (waits[3].revents & POLLOUT)
            give();
    }

    /// Stores the tracer's exit status, and reads the rest of its output from the pipes.
    void reap()
    {
        int status = 0;
        if (waitpid(tracer_, &status, 0) != tracer_)
            return;
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : cmd::kFailure;
        while (take(ends_.messages, FrameKind::Messages) || take(ends_.output, FrameKind::Output)) {
        }
    }

    /// Reads output from a pipe. Returns false if none was available.
    bool take(int& descriptor, FrameKind kind)
    {
        char room[1 << 16];
        const ssize_t size = descriptor < 0 ? 0 : read(descriptor, room, sizeof room);
        // at the end of file, closes the pipe, because a poll would report it as readable forever
        if (size == 0 && descriptor >= 0) {
            close(descriptor);
            descriptor = -1;
        }
        if (size <= 0)
            return false;
        if (kept_.empty() || kept_.back().kind != kind || kept_.back().bytes.size() >= sizeof room)
            kept_.push_back({kind, {}});
        kept_.back().bytes.append(room, static_cast<std::size_t>(size));
        kept_bytes_ += static_cast<std::size_t>(size);
        return true;
    }

    void answer()
    {
        const int who = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (who < 0)
            return;
        // The client runs as root, so the keeper trusts its request. But the client may be slow, so the keeper waits
        // for the request only for a limited time.
        constexpr int kPatience = 1000;
        pollfd wait{who, POLLIN, 0};
        char asked = 0;
        if (poll(&wait, 1, kPatience) != 1 || read(who, &asked, 1) != 1)
            asked = 0;
        if (asked == static_cast<char>(ClaimRequest::NewRoot))
            write_byte(ends_.new_root);
        if (asked != static_cast<char>(ClaimRequest::Claim)) {
            close(who);
            return;
        }
        claimer_ = who;
        fcntl(claimer_, F_SETFL, O_NONBLOCK);
        close(listener_); // closes the listening socket, so that no further claim is accepted
        listener_ = -1;
        unlink(paths_.socket().c_str());
    }

    static void write_byte(int descriptor)
    {
        const char byte = 1;
        [[maybe_unused]] const ssize_t written = write(descriptor, &byte, 1);
    }

    /// Handles a request of the client to end the trace. If the client has gone, the trace ends too, because its output
    /// cannot be claimed a second time.
    void hear_claimer()
    {
        char asked = 0;
        const ssize_t size = read(claimer_, &asked, 1);
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (!status_)
            kill(tracer_, SIGTERM);
        if (size <= 0)
            _exit(cmd::kFailure);
    }

    void give()
    {
        if (giving_.empty()) {
            const Chunk& first = kept_.front();
            const FrameHeader header{first.kind, static_cast<uint32_t>(first.bytes.size())};
            giving_.assign(reinterpret_cast<const char*>(&header), sizeof header).append(first.bytes);
            kept_bytes_ -= first.bytes.size();
            kept_.pop_front();
        }
        const ssize_t sent = send(claimer_, giving_.data(), giving_.size(), MSG_NOSIGNAL);
        if (sent > 0)
            giving_.erase(0, static_cast<std::size_t>(sent));
    }

    bool has_all_given() const { return kept_.empty() && giving_.empty(); }

    void send_status()
    {
        const FrameHeader header{FrameKind::Status, static_cast<uint32_t>(status())};
        fcntl(claimer_, F_SETFL, 0);
        send(claimer_, &header, sizeof header, MSG_NOSIGNAL);
    }

    Ends ends_;
    const pid_t tracer_;
    int listener_;
    int claimer_ = -1;
    const AnonymousPaths paths_;
    const int tracer_ends_;
    std::optional<int> status_;
    std::deque<Chunk> kept_;
    std::size_t kept_bytes_ = 0;
    std::string giving_; ///< part of the current frame that has not been sent to the client yet
};

struct Pipe {
    int reads = -1, writes = -1;

    Pipe()
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) == 0)
            reads = ends[0], writes = ends[1];
    }
};

void redirect_input_to_null(bool and_print_nowhere)
{
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0)
        return;
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (descriptor == STDIN_FILENO || and_print_nowhere)
            dup2(nowhere, descriptor);
    close(nowhere);
}

/// Returns a listening socket, or -1 with errno set.
int listen_for_claim(const AnonymousPaths& where)
{
    if (mkdir(where.run.c_str(), 0700) != 0 && errno != EEXIST)
        return -1;
    const sockaddr_un address = address_of(where.socket());
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // Removes the socket of a keeper that was killed. No keeper is running: begin() could not connect to one.
    unlink(where.socket().c_str());
    const mode_t mask = umask(0177);
    const bool bound = bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    umask(mask);
    constexpr int kFew = 4;
    return bound && listen(listener, kFew) == 0 ? listener : -1;
}

/// Returns whether the process runs in an initramfs, judged by the file system of its root.
bool is_root_in_memory()
{
    struct statfs status {};
    return statfs("/", &status) == 0 && (status.f_type == RAMFS_MAGIC || status.f_type == TMPFS_MAGIC);
}

/// Lets a tracer that started in an initramfs follow init to the real root. When init changes the root, the files of
/// the old root are deleted, so a tracer that stays there would lose /proc and the files of processes. A thread waits
/// for the message that the real root is mounted. The thread is created before the tracer drops its privileges, because
/// the thread needs privileges to change the root.
void follow_init_to_its_root(int new_root)
{
    const int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    std::thread([new_root, proc] {
        char byte = 0;
        while (read(new_root, &byte, 1) == 1) {
            const int root = openat(proc, "1/root", O_PATH | O_DIRECTORY | O_CLOEXEC);
            if (root >= 0 && fchdir(root) == 0 && chroot(".") == 0 && chdir("/") == 0)
                return;
        }
    }).detach();
}

std::variant<int, cmd::Arguments> complain(const cmd::Arguments& arguments, const std::string& what)
{
    cmd::print_message(arguments, what);
    return cmd::kFailure;
}

/// Runs in the process that was started first: waits until tracing has started. Returns the exit status of this
/// process.
int wait_for_start(int started)
{
    char status = cmd::kFailure;
    return read(started, &status, 1) == 1 ? status : cmd::kFailure;
}

/// Runs the keeper, which stores the tracer's output. Returns its exit status.
int keep(ClaimServer& keeper, const AnonymousPaths& where, int started)
{
    const bool has_started = keeper.wait_until_started();
    char status = static_cast<char>(has_started            ? cmd::kSuccess
                                    : keeper.status() != 0 ? keeper.status()
                                                           : cmd::kFailure);
    if (has_started) {
        std::ofstream(where.pid()) << getpid() << "\n";
        redirect_input_to_null(true);
    }
    [[maybe_unused]] const ssize_t written = write(started, &status, 1);
    close(started);
    if (has_started)
        keeper.keep();
    unlink(where.pid().c_str());
    if (!has_started)
        unlink(where.socket().c_str());
    return keeper.status();
}

} // namespace

Result<int> connect_to_claim_server(const std::string& path)
{
    const sockaddr_un address = address_of(path);
    const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection >= 0 && connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return connection;
    const int failed = errno;
    close(connection);
    return Error{std::strerror(failed), failed};
}

std::variant<int, cmd::Arguments> begin(const cmd::Arguments& arguments)
{
    const AnonymousPaths where = anonymous_paths();
    if (const Result<int> keeper = connect_to_claim_server(where.socket()); keeper) {
        const char asked = static_cast<char>(ClaimRequest::NewRoot);
        const bool is_started = write(keeper.value(), &asked, 1) == 1;
        close(keeper.value());
        return is_started ? cmd::kSuccess : cmd::kFailure;
    }
    const Result<std::vector<std::string>> words = read_saved_words(where.program);
    if (!words)
        return complain(arguments, words.error().message);
    std::vector<const char*> argv = {arguments.argv0.c_str()};
    for (const std::string& word : words.value())
        argv.push_back(word.c_str());
    auto parsed = cmd::parse_arguments(argv);
    if (const auto* error = std::get_if<cmd::UsageError>(&parsed))
        return complain(arguments, error->messages.empty() ? "no program is saved: save one with dtrace -A"
                                                           : error->messages.front());

    const Pipe start_pipe, output, messages, started, new_root;
    const int listener = listen_for_claim(where);
    if (listener < 0)
        return complain(arguments, "cannot listen at " + where.socket() + ": " + std::strerror(errno));
    std::fflush(nullptr);
    const pid_t keeper = fork();
    if (keeper != 0) {
        close(start_pipe.writes);
        return keeper < 0 ? complain(arguments, std::strerror(errno)) : wait_for_start(start_pipe.reads);
    }
    setsid();
    const pid_t tracer = fork();
    if (tracer != 0) {
        for (const int descriptor : {output.writes, messages.writes, started.writes, new_root.reads, start_pipe.reads})
            close(descriptor);
        if (tracer < 0)
            return complain(arguments, std::strerror(errno));
        ClaimServer kept({output.reads, messages.reads, started.reads, new_root.writes}, tracer, listener, where);
        return keep(kept, where, start_pipe.writes);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    redirect_input_to_null(false);
    dup2(output.writes, STDOUT_FILENO);
    dup2(messages.writes, STDERR_FILENO);
    for (const int descriptor : {output.reads, output.writes, messages.reads, messages.writes, started.reads,
                                 new_root.writes, start_pipe.reads, start_pipe.writes, listener})
        close(descriptor);
    if (is_root_in_memory())
        follow_init_to_its_root(new_root.reads);
    auto& program = std::get<cmd::Arguments>(parsed);
    program.started_descriptor = started.writes;
    return std::move(program);
}

} // namespace dt::anonymous
