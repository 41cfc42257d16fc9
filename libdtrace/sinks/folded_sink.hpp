// Flame graphs as self-contained SVG documents (an idea of Brendan Gregg). Boxes of callers and callees are stacked;
// the width of a box is its share of the total. A small script zooms on a click and searches. Without script support
// the picture is still complete.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// First character of the names of kernel frames and of JIT frames in a folded line. The graph draws both in colors of
/// their own.
constexpr char kKernelFrame = '\1', kJitFrame = '\2';

/// Stores stacks as a tree, in which stacks with the same callers share nodes.
class FlameTree {
public:
    struct Frame {
        uint64_t total = 0; ///< sum of the values of all stacks that contain the frame at this position
        std::map<std::string, Frame, std::less<>> callees;
    };

    /// Adds a folded stack ("outermost;…;innermost") with its value. Ignores values that are not positive, because
    /// their boxes would have no width. Names of frames may begin with kKernelFrame or kJitFrame.
    void add(std::string_view folded, int64_t value);

    const Frame& root() const { return root_; }
    std::size_t depth() const { return depth_; }

private:
    Frame root_;
    std::size_t depth_ = 0; ///< number of frames in the deepest stack
};

struct FlameStyle {
    std::string title, subtitle;
    std::string unit = "samples"; ///< unit of the values, for the text of the graph
    bool icicle = false;          ///< whether the outermost frames are drawn at the top
};

void append_flamegraph(Text& out, const FlameTree& tree, const FlameStyle& style);

} // namespace dt::format
