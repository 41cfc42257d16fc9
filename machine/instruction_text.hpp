// Converts an instruction to text with Capstone. The library is opened at the first use, because few traces need it and
// its tables take 2 MB. The static executable contains the library.
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
    /// Creates an object that converts instructions to text. If Capstone is not installed, text() returns nothing.
    explicit InstructionWriter(InstructionSet set);
    ~InstructionWriter();
    InstructionWriter(const InstructionWriter&) = delete;
    InstructionWriter& operator=(const InstructionWriter&) = delete;

    /// Returns the text of the single instruction in `bytes`, if Capstone knows it. The text of an instruction without
    /// operands is only the mnemonic.
    std::optional<std::string> text(std::span<const uint8_t> bytes, uint64_t address, bool without_operands) const;

private:
    std::size_t handle_ = 0;
    bool is_open_ = false;
};

} // namespace dt::machine
