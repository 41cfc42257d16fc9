// The tracers that are compared with dtrace: how to start each one, and which error message it prints when it does not
// support something.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "test/bench/cost.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {

enum Peer : std::size_t { kDtrace, kBpftrace, kOracle, kPly, kStap, kPeers };
inline constexpr std::array<const char*, kPeers> kPeerNames = {"dtrace", "bpftrace", "Oracle DTrace", "ply",
                                                               "SystemTap"};

/// A program in the language of each compared tracer. The text is empty if that tracer is not available or cannot
/// express the program.
using PeerTexts = std::array<std::string, kPeers>;

struct PeerRow {
    std::string what, unit;
    std::array<Figure, kPeers> figures;
    /// for each tracer, the reason why its result is missing or partial; empty if the result is complete
    std::array<std::string, kPeers> problems;
};

class PeerTools {
public:
    /// Finds the tracers that run on this machine, and the reasons why the remaining tracers do not.
    PeerTools(std::string folder, std::string dtrace);

    bool runs(Peer peer) const { return problems_[peer].empty(); }
    const std::string& problem(Peer peer) const { return problems_[peer]; }
    const std::string& version(Peer peer) const { return versions_[peer]; }
    /// Returns the files of the D library of Oracle's DTrace that fail on this kernel, with their error messages.
    const std::vector<std::string>& hidden() const { return hidden_; }
    Words words(Peer peer, const std::string& text) const;

private:
    void look(Peer peer);

    std::string folder_, dtrace_;
    std::array<std::string, kPeers> problems_, versions_;
    std::vector<std::string> hidden_;
};

/// Returns for each tracer a program that ends immediately.
const PeerTexts& empty_programs();

/// Returns the error line in a tracer's output.
std::string complaint(const std::string& text);

} // namespace dt::bench
