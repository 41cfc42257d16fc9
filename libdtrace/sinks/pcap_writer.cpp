// Writes capture files, and runs tshark to format packets as lines.
#include "libdtrace/sinks/text_sink.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {

namespace {

// Headers of libpcap's capture files (pcap-savefile(5)) with timestamps in nanoseconds.
struct FileHeader {
    uint32_t magic = 0xa1b23c4d;
    uint16_t major = 2, minor = 4;
    int32_t zone = 0;
    uint32_t accuracy = 0;
    uint32_t most = 65535;
    uint32_t link_type = 0;
};
static_assert(sizeof(FileHeader) == 24);

struct PacketHeader {
    uint32_t seconds, nanoseconds, captured, length;
};

// Link types of raw IP: DLT_RAW in programs, LINKTYPE_RAW in files.
constexpr uint32_t kRawIp = 12, kRawIpInFiles = 101;

template <typename T> std::string_view as_bytes(const T& value)
{
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

uint32_t link_type_of(const Packet& packet)
{
    return packet.protocol == kRawIp ? kRawIpInFiles : packet.protocol;
}

std::string file_header(uint32_t link_type)
{
    FileHeader header;
    header.link_type = link_type;
    return std::string(as_bytes(header));
}

std::string packet_bytes(const Packet& packet)
{
    const auto size = static_cast<uint32_t>(packet.bytes.size());
    const PacketHeader header{static_cast<uint32_t>(packet.time / kSecond),
                              static_cast<uint32_t>(packet.time % kSecond), size, size};
    std::string bytes(as_bytes(header));
    return bytes.append(reinterpret_cast<const char*>(packet.bytes.data()), size);
}

bool write_all(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

bool is_in_path(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::string_view left = path ? path : "";
    while (!left.empty()) {
        const std::size_t end = std::min(left.find(':'), left.size());
        const std::string candidate = std::string(left.substr(0, end)) + "/" + program;
        if (::access(candidate.c_str(), X_OK) == 0)
            return true;
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return false;
}

} // namespace

PcapWriter::~PcapWriter()
{
    finish();
}

bool PcapWriter::write(const Packet& packet)
{
    if (packet.bytes.empty())
        return true; // nothing is written for a packet without captured bytes
    return output_.redirects() != 0 ? write_to_file(packet) : write_to_tshark(packet);
}

bool PcapWriter::write_to_file(const Packet& packet)
{
    const uint32_t link_type = link_type_of(packet);
    if (redirected_ != output_.redirects()) {
        redirected_ = output_.redirects();
        link_type_ = link_type;
        if (output_.file_is_empty())
            output_.write(file_header(link_type));
    }
    if (link_type != link_type_) // all packets of a capture file must have the same link type
        print_message(output_, "packet of protocol " + std::to_string(packet.protocol) +
                                   " was not written: its link type differs from that of the capture file");
    else
        output_.write(packet_bytes(packet));
    return true;
}

bool PcapWriter::write_to_tshark(const Packet& packet)
{
    if (pid_ >= 0 && link_type_ != link_type_of(packet))
        finish(); // tshark can read only packets of the same link type, so for another type a new tshark is started
    link_type_ = link_type_of(packet);
    if (pid_ < 0 && !start_tshark())
        return false;
    if (!write_all(to_tshark_, packet_bytes(packet))) {
        finish();
        has_tshark_ = false;
        return false;
    }
    print_lines(false);
    return true;
}

bool PcapWriter::start_tshark()
{
    has_tshark_ = has_tshark_ && is_in_path("tshark");
    int input[2], lines[2];
    if (!has_tshark_ || ::pipe2(input, O_CLOEXEC) != 0)
        return false;
    if (::pipe2(lines, O_CLOEXEC) != 0) {
        ::close(input[0]);
        ::close(input[1]);
        return false;
    }
    pid_ = ::fork();
    if (pid_ == 0) {
        // The child gets its own process group, so that ^C in a terminal does not end it. The tracer ends it by closing
        // the pipe.
        ::setpgid(0, 0);
        ::dup2(input[0], STDIN_FILENO);
        ::dup2(lines[1], STDOUT_FILENO);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        ::execlp("tshark", "tshark", "-l", "-i", "-", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(input[0]);
    ::close(lines[1]);
    to_tshark_ = input[1];
    from_tshark_ = lines[0];
    ::fcntl(from_tshark_, F_SETFL, O_NONBLOCK);
    if (pid_ >= 0 && write_all(to_tshark_, file_header(link_type_)))
        return true;
    finish();
    return has_tshark_ = false;
}

// Prints the lines that tshark has written so far. If `to_the_end` is set, first blocks until tshark has exited.
void PcapWriter::print_lines(bool to_the_end)
{
    if (to_the_end)
        ::fcntl(from_tshark_, F_SETFL, 0);
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(from_tshark_, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        lines_.append(buffer, static_cast<std::size_t>(got));
    }
    for (std::size_t end; (end = lines_.find('\n')) != std::string::npos; lines_.erase(0, end + 1)) {
        output_.write("pcap \t");
        output_.write(std::string_view(lines_).substr(0, end + 1));
    }
}

void PcapWriter::finish()
{
    if (to_tshark_ >= 0)
        ::close(to_tshark_);
    if (from_tshark_ >= 0) {
        print_lines(true);
        ::close(from_tshark_);
    }
    if (pid_ > 0)
        while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR)
            continue;
    to_tshark_ = from_tshark_ = pid_ = -1;
    lines_.clear();
}

} // namespace dt::output
