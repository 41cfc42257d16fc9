// Output of pcap() (dtrace-actions(7), pcap). After freopen() packets go to a capture file. Otherwise tshark prints one
// line per packet; without tshark, the caller prints a hex dump.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/output/output.hpp"

namespace dt::output {

struct Packet;

class PcapWriter {
public:
    explicit PcapWriter(Output& output) : output_(output) {}
    ~PcapWriter();
    PcapWriter(const PcapWriter&) = delete;
    PcapWriter& operator=(const PcapWriter&) = delete;

    /// Writes the packet. Returns false if neither a capture file nor tshark is available. The caller then prints a hex
    /// dump.
    bool write(const Packet& packet);

    /// Ends tshark if it was started, and prints its remaining output.
    void finish();

private:
    bool write_to_file(const Packet& packet);
    bool write_to_tshark(const Packet& packet);
    bool start_tshark();
    void print_lines(bool to_the_end);

    Output& output_;
    /// Value of Output::redirects() when the current capture file was opened, and the file's link type; both are 0 if
    /// there is no capture file.
    uint64_t redirected_ = 0;
    uint32_t link_type_ = 0;
    bool has_tshark_ = true; ///< false after an attempt to start tshark has failed
    int to_tshark_ = -1, from_tshark_ = -1, pid_ = -1;
    std::string lines_; ///< incomplete line that was read from tshark
};

} // namespace dt::output
