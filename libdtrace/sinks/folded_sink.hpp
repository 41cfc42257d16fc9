// Flame graphs as self-contained SVG documents (after Brendan Gregg's idea). Boxes for callers and callees are stacked;
// their widths are their shares of the total. A small script zooms on a click and searches; without script support the
// picture still works.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// Prefixes of a frame's name that mark kernel code and JIT code, which have their own colours.
constexpr char kKernelFrame = '\1', kJitFrame = '\2';

/// Stacks as a tree, in which stacks with the same callers share nodes.
class FlameTree {
public:
    struct Frame {
        uint64_t total = 0; ///< value of the frame and of everything that it called
        std::map<std::string, Frame, std::less<>> callees;
    };

    /// Adds one folded stack ("outermost;…;innermost"). Ignores values that are not positive, because they have no
    /// width. Frames may begin with the mark of their kind.
    void add(std::string_view folded, int64_t value);

    const Frame& root() const { return root_; }
    std::size_t depth() const { return depth_; }

private:
    Frame root_;
    std::size_t depth_ = 0; ///< number of frames in the deepest stack
};

struct FlameStyle {
    std::string title, subtitle;
    std::string unit = "samples"; ///< unit of the values
    bool icicle = false;          ///< whether the outermost frames are drawn at the top
};

void append_flamegraph(Text& out, const FlameTree& tree, const FlameStyle& style);

} // namespace dt::format
