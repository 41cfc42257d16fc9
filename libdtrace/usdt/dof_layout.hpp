// The records of DOF as stored in a file.
#pragma once

#include <cstdint>

namespace dt::usdt::layout {

struct Header {
    uint8_t magic[4]; ///< 0x7f 'D' 'O' 'F'
    uint8_t model;    ///< 2: LP64
    uint8_t encoding; ///< 1: little-endian
    uint8_t version;  ///< 2: with sites that query whether a probe is enabled
    uint8_t dif_version, integer_registers, tuple_registers, pad[6];
    uint32_t flags, header_size, section_size, sections;
    uint64_t section_offset, load_size, file_size, reserved;
};
static_assert(sizeof(Header) == 64);

struct Section {
    uint32_t type, align, flags, entry_size;
    uint64_t offset, size;
};
static_assert(sizeof(Section) == 32);

struct Provider {
    uint32_t strings, probes, arguments, offsets; ///< section numbers
    uint32_t name;
    uint32_t attributes[5]; ///< stability of provider, module, function, name, arguments
    uint32_t asking_offsets;
};
static_assert(sizeof(Provider) == 44);

struct Probe {
    uint64_t address;
    uint32_t function, name, native,
        translated;            ///< string offsets; for types, of the first of `native_count` and `translated_count`
    uint32_t argument, offset; ///< indexes of the first entries of its argument map and of its offsets
    uint8_t native_count, translated_count;
    uint16_t offset_count;
    uint32_t asking_offset;
    uint16_t asking_count, pad;
    uint32_t pad2;
};
static_assert(sizeof(Probe) == 48);

inline constexpr uint8_t kMagic[4] = {0x7f, 'D', 'O', 'F'};
inline constexpr uint8_t kLp64 = 2, kLittleEndian = 1, kVersion = 2;
inline constexpr uint32_t kStrings = 8, kProvider = 15, kProbes = 16, kArguments = 17, kOffsets = 18,
                          kAskingOffsets = 26;
inline constexpr uint32_t kLoaded = 1; ///< section flag

} // namespace dt::usdt::layout
