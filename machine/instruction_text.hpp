// Writes one instruction as text, by Capstone. The library is opened when somebody looks at code for the first time (in
// the static executable it is inside): few traces do, and its tables take 2 MB.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace dt::machine {

enum class InstructionSet { X86_64, Arm64 };

class InstructionWriter {
public:
    /// Writes nothing where Capstone is not installed.
    explicit InstructionWriter(InstructionSet set);
    ~InstructionWriter();
    InstructionWriter(const InstructionWriter&) = delete;
    InstructionWriter& operator=(const InstructionWriter&) = delete;

    /// Returns the text of the one instruction that the bytes are, if Capstone knows it; the mnemonic alone without
    /// operands.
    std::optional<std::string> text(std::span<const uint8_t> bytes, uint64_t address, bool without_operands) const;

private:
    std::size_t handle_ = 0;
    bool is_open_ = false;
};

} // namespace dt::machine
