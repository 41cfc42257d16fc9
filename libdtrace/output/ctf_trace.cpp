// Ends a packet when it is large, when it covers a second, and before and after a loss.
#include "libdtrace/output/ctf_trace.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/utsname.h>

#include "base/time.hpp"
#include "libdtrace/output/document.hpp"

namespace dt::output {
namespace {

constexpr std::size_t kLargePacket = 64 * 1024;
constexpr uint64_t kLongPacket = kSecond;
constexpr uint32_t kCtfMagic = 0xC1FC1FC1;

/// Header of a packet, as the metadata describe it.
struct [[gnu::packed]] PacketHead {
    uint32_t magic = kCtfMagic, stream = 0;
    uint64_t begin = 0, end = 0;      ///< CLOCK_MONOTONIC ns
    uint64_t content = 0, packet = 0; ///< sizes in bits, including this header
    uint64_t lost = 0;                ///< events lost between the start of the trace and the packet's end
    uint64_t number = 0;
};

constexpr std::string_view kCtfTypes = R"(/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 8; align = 8; signed = true; } := int8_t;
typealias integer { size = 16; align = 8; signed = true; } := int16_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;

)";

constexpr std::string_view kCtfStream =
    R"(typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := monotonic_t;

stream {
	id = 0;
	packet.context := struct {
		monotonic_t timestamp_begin;
		monotonic_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t events_discarded;
		uint64_t packet_seq_num;
	};
	event.header := struct {
		uint32_t id;
		monotonic_t timestamp;
	};
};

)";

void append_variable(std::string& out, std::string_view name, std::string_view value)
{
    out.append("\t").append(name).append(" = ");
    append_tsdl_string(out, value);
    out.append(";\n");
}

/// Replaces characters of label names that TSDL identifiers may not contain.
std::string tsdl_name(std::string name)
{
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    return name;
}

std::string ctf_environment(const Labels& labels)
{
    std::string out = "env {\n";
    append_variable(out, "tracer_name", "dtrace");
    if (utsname system{}; uname(&system) == 0) {
        append_variable(out, "hostname", system.nodename);
        append_variable(out, "kernel_release", system.release);
    }
    for (const auto& [name, value] : labels)
        append_variable(out, "label_" + tsdl_name(name), value);
    return out.append("};\n\n");
}

/// Describes the clock with LTTng's name and the boot ID as its UUID, so that readers can merge this trace with
/// LTTng's.
std::string ctf_clock()
{
    std::string out = "clock {\n\tname = monotonic;\n", boot;
    if (std::ifstream file("/proc/sys/kernel/random/boot_id"); std::getline(file, boot))
        append_variable(out, "uuid", boot);
    const int64_t monotonic = now_ns(CLOCK_MONOTONIC), offset = now_ns(CLOCK_REALTIME) - monotonic;
    append_variable(out, "description", "CLOCK_MONOTONIC");
    out.append("\tfreq = 1000000000;\n\toffset_s = ").append(std::to_string(offset / static_cast<int64_t>(kSecond)));
    out.append(";\n\toffset = ").append(std::to_string(offset % static_cast<int64_t>(kSecond))).append(";\n};\n\n");
    return out;
}

void append_raw(std::string& out, const void* bytes, std::size_t size)
{
    out.append(static_cast<const char*>(bytes), size);
}

} // namespace

Result<void> CtfTrace::open(const std::string& folder, const Labels& labels)
{
    const std::string path = folder + "/metadata";
    const Result<void> opened = metadata_.open(path);
    if (!opened)
        return Error{"cannot write " + path + ": " + opened.error().message, opened.error().code};
    if (!metadata_.file_is_empty())
        return Error{"a trace is in " + folder + " already", EEXIST};
    metadata_.outlast();
    metadata_.write(kCtfTypes);
    metadata_.write("trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = ");
    metadata_.write(std::endian::native == std::endian::little ? "le" : "be");
    metadata_.write(";\n\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint32_t stream_id;\n\t};\n};\n\n");
    metadata_.write(ctf_environment(labels));
    metadata_.write(ctf_clock());
    metadata_.write(kCtfStream);
    metadata_.drain();
    metadata_.offer();
    return {};
}

uint32_t CtfTrace::class_of(const CtfEvent& event)
{
    const auto [known, is_new] = classes_.try_emplace(event.kind(), static_cast<uint32_t>(classes_.size()));
    if (is_new) {
        metadata_.write("event {\n\tid = " + std::to_string(known->second) + ";\n\tstream_id = 0;\n\tname = ");
        metadata_.write(event.kind());
        metadata_.write(" };\n};\n\n");
        metadata_.drain();
    }
    return known->second;
}

void CtfTrace::add(const CtfEvent& event, uint64_t time)
{
    if (packets_ == 0 && packet_.empty()) { // readers count losses from the first packet on, so it is empty
        begin_ = last_ = time;
        write_packet(0);
    }
    if (packet_.size() >= kLargePacket || (!packet_.empty() && time - begin_ >= kLongPacket))
        end_packet();
    if (packet_.empty())
        begin_ = time;
    const uint32_t number = class_of(event);
    append_raw(packet_, &number, sizeof number);
    append_raw(packet_, &time, sizeof time);
    packet_.append(event.encoded());
    last_ = time;
    if (is_behind_loss_)
        end_packet();
}

void CtfTrace::add_lost(uint64_t count)
{
    if (!is_behind_loss_)
        end_packet();
    lost_ += count;
    is_behind_loss_ = true;
}

void CtfTrace::end_packet()
{
    if (packet_.empty())
        return;
    write_packet(lost_);
    is_behind_loss_ = false;
}

/// Writes the packet after the metadata that describe its events, so that readers can always decode it.
void CtfTrace::write_packet(uint64_t lost)
{
    metadata_.offer();
    PacketHead head;
    head.begin = begin_;
    head.end = last_;
    head.content = head.packet = 8 * (sizeof head + packet_.size());
    head.lost = lost;
    head.number = packets_++;
    stream_.write({reinterpret_cast<const char*>(&head), sizeof head});
    stream_.write(packet_);
    stream_.drain();
    packet_.clear();
}

int CtfTrace::finish()
{
    end_packet();
    if (packets_ == 0 || is_behind_loss_) {
        if (packets_ == 0) {
            begin_ = last_ = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
            write_packet(0);
        }
        begin_ = last_ = std::max(last_, static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)));
        write_packet(lost_);
        is_behind_loss_ = false;
    }
    return metadata_.settle();
}

} // namespace dt::output
