#include "machine/instruction_text.hpp"

#include <capstone/capstone.h>

#include <type_traits>

#include "base/linkage.hpp"

namespace dt::machine {
namespace {

/// Functions of the library Capstone. Its structure layouts depend on its version, so only the version of the header
/// used in this build is opened.
struct Capstone : OpenedLibrary {
    using OpenedLibrary::OpenedLibrary;

    decltype(&cs_open) open = find("cs_open");
    decltype(&cs_close) close = find("cs_close");
    decltype(&cs_disasm) disassemble = find("cs_disasm");
    decltype(&cs_free) free = find("cs_free");
};

const Capstone& capstone()
{
    static const Capstone opened("libcapstone.so." + std::to_string(CS_API_MAJOR));
    return opened;
}

#if CS_API_MAJOR >= 6
constexpr cs_arch kArm64 = CS_ARCH_AARCH64;
#else
constexpr cs_arch kArm64 = CS_ARCH_ARM64;
#endif

} // namespace

static_assert(std::is_same_v<csh, std::size_t>);

InstructionWriter::InstructionWriter(InstructionSet set)
{
    const cs_arch processor = set == InstructionSet::Arm64 ? kArm64 : CS_ARCH_X86;
    const cs_mode mode = set == InstructionSet::Arm64 ? CS_MODE_LITTLE_ENDIAN : CS_MODE_64;
    is_open_ = capstone().is_complete() && capstone().open(processor, mode, &handle_) == CS_ERR_OK;
}

InstructionWriter::~InstructionWriter()
{
    if (is_open_)
        capstone().close(&handle_);
}

std::optional<std::string> InstructionWriter::text(std::span<const uint8_t> bytes, uint64_t address,
                                                   bool without_operands) const
{
    cs_insn* found = nullptr;
    if (!is_open_ || capstone().disassemble(handle_, bytes.data(), bytes.size(), address, 1, &found) != 1)
        return std::nullopt;
    std::string text = found->mnemonic;
    if (!without_operands && found->op_str[0] != '\0')
        text += std::string(" ") + found->op_str;
    const bool is_whole = found->size == bytes.size();
    capstone().free(found, 1);
    return is_whole ? std::optional(text) : std::nullopt;
}

} // namespace dt::machine
