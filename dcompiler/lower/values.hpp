// Numbers, addresses and bytes, below all that knows of a clause: nothing here faults, and nothing takes memory.
#pragma once

#include <cstdint>

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/operand.hpp"

namespace dt::lower {

class Values {
public:
    explicit Values(Context& context) : context_(context) {}

    ir::Value narrow(ir::Value v, const Type* type);
    ir::Value extend_bits(ir::Value v, uint32_t start, uint32_t width, const Type* type);
    ir::Value at_most(ir::Value size, uint32_t limit);                   ///< the smaller, unsigned; the verifier knows
    ir::Value interior(ir::Value base, int64_t offset, uint32_t region); ///< a pointer into what `base` points to
    ir::Value address_number(
        const Operand& from); ///< the address of text or bytes, for arithmetic that the verifier must not see
    void zero(ir::Value dst, int64_t offset, uint32_t size);
    void copy(ir::Value src, int64_t src_offset, ir::Value dst, int64_t dst_offset,
              uint32_t size); ///< loadable to loadable
    /// Does the kernel let programs load from any address? What cannot be read is 0 then.
    bool loads_anywhere() const;
    ir::Value load_anywhere(ir::Value address, int64_t offset, uint8_t size);
    uint32_t text_size(const Type* type) const;
    /// May it be as long as the kernel keeps it? Room for it is larger than strsize where that is no multiple of eight.
    bool fits_thread_name() const;

private:
    ir::Builder& b() const { return *context_.b; }
    Context& context_;
};

} // namespace dt::lower
