// A flame graph as one self-contained SVG document: boxes one above the other for callers and callees, as wide as their
// share of the total (after Brendan Gregg's idea). A few lines of script inside it zoom in on a click and search;
// without script it is still a picture.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// In front of a frame's name: what it is of, if not of a program. Its colour shows it.
constexpr char kKernelFrame = '\1', kJitFrame = '\2';

/// Stacks with common callers merged.
class FlameTree {
public:
    struct Frame {
        uint64_t total = 0; ///< of the frame and all it called
        std::map<std::string, Frame, std::less<>> callees;
    };

    /// Adds one folded stack ("outermost;…;innermost"). Values that are not positive have no width and are left out. A
    /// frame may begin with the mark of its kind.
    void add(std::string_view folded, int64_t value);

    const Frame& root() const { return root_; }
    std::size_t depth() const { return depth_; }

private:
    Frame root_;
    std::size_t depth_ = 0; ///< frames of the deepest stack
};

struct FlameStyle {
    std::string title, subtitle;
    std::string unit = "samples"; ///< of the values
    bool icicle = false;          ///< the outermost frames at the top
};

void append_flamegraph(Text& out, const FlameTree& tree, const FlameStyle& style);

} // namespace dt::format
