// Example maps for maps of maps: the kernel requires an inner map when it creates the outer one.
#pragma once

#include <vector>

#include "dcompiler/object/schema.hpp"

struct bpf_object;

namespace dt {

/// Creates an empty mmap ring (DT_MAP_LANES). Returns a negative value if memory is short.
int make_lane_map();

/// Gives libbpf an example inner map for each outer map of an object. Must live until the object is loaded.
class InnerMaps {
public:
    InnerMaps(bpf_object* object, const Schema& schema);
    ~InnerMaps();
    InnerMaps(const InnerMaps&) = delete;
    InnerMaps& operator=(const InnerMaps&) = delete;

private:
    std::vector<int> descriptors_;
};

} // namespace dt
