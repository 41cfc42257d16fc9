// The tracers that are put side by side: how each is started, and what each says when it cannot do something.
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

/// A program in the language of each; empty: none is known.
using PeerTexts = std::array<std::string, kPeers>;

struct PeerRow {
    std::string what, unit;
    std::array<Figure, kPeers> figures;
    std::array<std::string, kPeers> problems; ///< where there is no figure, or one of a kind
};

class PeerTools {
public:
    /// Finds which of them run here, and says of the others why not.
    PeerTools(std::string folder, std::string dtrace);

    bool runs(Peer peer) const { return problems_[peer].empty(); }
    const std::string& problem(Peer peer) const { return problems_[peer]; }
    const std::string& version(Peer peer) const { return versions_[peer]; }
    /// Files of Oracle's library that this kernel makes it stumble over, and what it said of each.
    const std::vector<std::string>& hidden() const { return hidden_; }
    Words words(Peer peer, const std::string& text) const;

private:
    void look(Peer peer);

    std::string folder_, dtrace_;
    std::array<std::string, kPeers> problems_, versions_;
    std::vector<std::string> hidden_;
};

/// The text that begins and ends at once.
const PeerTexts& empty_programs();

/// The line of what a tracer wrote that says what is wrong.
std::string complaint(const std::string& text);

} // namespace dt::bench
