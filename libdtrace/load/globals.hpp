// Positions of a loaded program's scalar globals, which are in a section mapped into user space.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

struct bpf_object;

namespace dt {

/// Returns the bytes of each global by its D name. `memory` is the object's DT_SECTION_STATE.
std::map<std::string, std::span<uint8_t>> find_globals(const bpf_object* object, std::span<uint8_t> memory);

} // namespace dt
