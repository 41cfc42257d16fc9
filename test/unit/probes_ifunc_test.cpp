// Tests how the tracer finds in the code of an IFUNC resolver the functions that it may choose. The code is written
// here by hand.
#include "machine/machine.hpp"

#include <gmock/gmock.h>

namespace dt::probes {
namespace {

using testing::ElementsAre;
using Bytes = std::vector<uint8_t>;

TEST(IfuncChoices, AddressesRelativeToTheCodeAreFound)
{
    const Bytes code = {0x48, 0x8d, 0x05, 0x10, 0,    0,    0,    // lea 0x10(%rip),%rax
                        0x48, 0x8d, 0x15, 0xf0, 0xff, 0xff, 0xff, // lea -0x10(%rip),%rdx
                        0x48, 0x0f, 0x44, 0xc2,                   // cmove %rdx,%rax
                        0xc3};
    const machine::Choices found = machine::native().choices_in(code, 0x1000);
    EXPECT_THAT(found.addresses, ElementsAre(0x1017u, 0xffeu));
    EXPECT_THAT(found.words, testing::IsEmpty());
}

TEST(IfuncChoices, FixedAddressesAreFound)
{
    const Bytes code = {0xb8, 0x20, 0x11, 0x40, 0,             // mov $0x401120,%eax
                        0x48, 0xc7, 0xc2, 0x40, 0x11, 0x40, 0, // mov $0x401140,%rdx
                        0xc3};
    EXPECT_THAT(machine::native().choices_in(code, 0x401000).addresses, ElementsAre(0x401120u, 0x401140u));
}

TEST(IfuncChoices, AddressesInWordsThatTheLinkerFillsAreFound)
{
    const Bytes code = {0x48, 0x8b, 0x05, 0x09, 0,    0, 0,    // mov 0x9(%rip),%rax
                        0x48, 0x0f, 0x44, 0x15, 0x01, 0, 0, 0, // cmove 0x1(%rip),%rdx
                        0xc3};
    EXPECT_THAT(machine::native().choices_in(code, 0x1000).words, ElementsAre(0x1010u, 0x1010u));
}

TEST(IfuncChoices, FunctionsThatAreCalledByTheResolverAreFound)
{
    const Bytes code = {0xe8, 0xfb, 0x0f, 0,    0,    // call +0xffb
                        0x74, 0x01,                   // je to the next but one instruction
                        0x90,                         // nop
                        0xe9, 0xf3, 0xff, 0xff, 0xff, // jmp to the first instruction
                        0xe9, 0xee, 0x1f, 0,    0};   // jmp +0x1fee
    EXPECT_THAT(machine::native().choices_in(code, 0x1000).called, ElementsAre(0x2000u, 0x3000u));
}

TEST(IfuncChoices, BytesThatAreNotCodeContainNoAddresses)
{
    EXPECT_THAT(machine::native().choices_in(Bytes{0x06, 0x48, 0x8d, 0x05, 0, 0, 0, 0}, 0).addresses,
                testing::IsEmpty());
}

} // namespace
} // namespace dt::probes
