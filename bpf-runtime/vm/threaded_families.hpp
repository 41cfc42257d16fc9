// Tables of the comparisons and loads for which threaded code has operations: name, operator and type.
#pragma once

#include <cstdint>

#define DT_COMPARISONS(family)                                                                                         \
    family(Eq, ==, uint64_t) family(Ne, !=, uint64_t) family(Gt, >, uint64_t) family(Ge, >=, uint64_t)                 \
        family(Lt, <, uint64_t) family(Le, <=, uint64_t) family(Set, &, uint64_t) family(Sgt, >, int64_t)              \
            family(Sge, >=, int64_t) family(Slt, <, int64_t) family(Sle, <=, int64_t) family(Eq32, ==, uint32_t)       \
                family(Ne32, !=, uint32_t) family(Gt32, >, uint32_t) family(Ge32, >=, uint32_t)                        \
                    family(Lt32, <, uint32_t) family(Le32, <=, uint32_t) family(Set32, &, uint32_t)                    \
                        family(Sgt32, >, int32_t) family(Sge32, >=, int32_t) family(Slt32, <, int32_t)                 \
                            family(Sle32, <=, int32_t)
#define DT_IS(left, sign, type, right) (static_cast<type>(left) sign static_cast<type>(right))
#define DT_LOADS(family)                                                                                               \
    family(Load1, uint8_t) family(Load2, uint16_t) family(Load4, uint32_t) family(Load8, uint64_t)                     \
        family(Load1Signed, int8_t) family(Load2Signed, int16_t) family(Load4Signed, int32_t)
