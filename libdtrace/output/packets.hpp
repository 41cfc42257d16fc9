// Packets of pcap(): a capture file after freopen(), else lines made by tshark, else the caller's dump
// (dtrace-actions(7), pcap).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/output/output.hpp"

namespace dt::output {

struct Packet;

class PacketWriter {
public:
    explicit PacketWriter(Output& output) : output_(output) {}
    ~PacketWriter();
    PacketWriter(const PacketWriter&) = delete;
    PacketWriter& operator=(const PacketWriter&) = delete;

    /// False when there is neither a capture file nor tshark: the packet is still to be shown.
    bool write(const Packet& packet);

    /// Ends tshark, if it was started, and prints what it still has to say.
    void finish();

private:
    bool write_to_file(const Packet& packet);
    bool write_to_tshark(const Packet& packet);
    bool start_tshark();
    void print_lines(bool to_the_end);

    Output& output_;
    uint64_t redirected_ = 0; ///< the redirect that link_type_ belongs to; 0: none
    uint32_t link_type_ = 0;
    bool has_tshark_ = true; ///< until starting it has failed
    int to_tshark_ = -1, from_tshark_ = -1, pid_ = -1;
    std::string lines_; ///< read from tshark, not yet a whole line
};

} // namespace dt::output
