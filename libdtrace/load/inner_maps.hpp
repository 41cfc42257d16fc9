// What the maps in maps of maps look like: the kernel wants to see one when it makes the outer map.
#pragma once

#include <vector>

#include "dcompiler/object/schema.hpp"

struct bpf_object;

namespace dt {

/// A fast lane (DT_MAP_LANES), empty. Negative: there is no memory for it.
int make_lane_map();

/// Tells libbpf, before it loads the object, an example of what each outer map will hold. Lives until the object is
/// loaded.
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
