// Operations on numbers, addresses and bytes that need no clause. They cannot fault and allocate no memory.
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
    ir::Value at_most(ir::Value size, uint32_t limit); ///< unsigned minimum, with a bound for the verifier
    ir::Value interior(ir::Value base, int64_t offset, uint32_t region); ///< pointer into the object at `base`
    ir::Value address_number(
        const Operand& from); ///< address of text or bytes as a number, for arithmetic hidden from the verifier
    void zero(ir::Value dst, int64_t offset, uint32_t size);
    void copy(ir::Value src, int64_t src_offset, ir::Value dst, int64_t dst_offset,
              uint32_t size); ///< copies between loadable objects
    /// Returns whether the kernel lets programs load from any address. Unreadable memory then yields 0.
    bool loads_anywhere() const;
    ir::Value load_anywhere(ir::Value address, int64_t offset, uint8_t size);
    uint32_t text_size(const Type* type) const;
    /// Returns whether strsize allows a thread name of full length. The buffer is larger than strsize if strsize is not
    /// a multiple of eight.
    bool fits_thread_name() const;

private:
    ir::Builder& b() const { return *context_.b; }
    Context& context_;
};

} // namespace dt::lower
