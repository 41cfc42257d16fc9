// Where the scalar globals of a loaded program are: in the section that user space maps, each under its name.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

struct bpf_object;

namespace dt {

/// The bytes of each global, by its name in D, in `memory`, which is the object's DT_SECTION_STATE.
std::map<std::string, std::span<uint8_t>> find_globals(const bpf_object* object, std::span<uint8_t> memory);

} // namespace dt
