// Tests reads of structure members for which a program must call a helper. One call reads several members, and an
// unreadable member is a fault.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt::test {
namespace {

constexpr uint64_t kHolder = 0x700000000000, kPacket = 0x700000010000;

/// A program in which `this->p` points to `size` readable bytes, whose values are 1, 2, 3 …
class Packet {
public:
    Packet(const std::string& members, std::size_t size)
        : program_("struct packet { uint32_t a, b; uint64_t c; uint16_t d; uint16_t e; uint32_t f; };\nBEGIN { this->p "
                   "= *(struct packet **)0x700000000000; " +
                   members + " }"),
          holder_(8), bytes_(size)
    {
        for (std::size_t i = 0; i < size; ++i)
            bytes_[i] = static_cast<uint8_t>(i + 1);
        std::memcpy(holder_.data(), &kPacket, 8);
        EXPECT_EQ(program_.problem(), "");
        EXPECT_TRUE(program_.vm().memory().lend_at(kHolder, holder_, vm::Kind::Kernel).ok());
        EXPECT_TRUE(program_.vm().memory().lend_at(kPacket, bytes_, vm::Kind::Kernel).ok());
    }

    Firing fire() { return program_.fire("BEGIN"); }
    uint64_t executed() { return program_.vm().executed(); }

private:
    DProgram program_;
    std::vector<uint8_t> holder_, bytes_;
};

TEST(MemberReads, EachMemberIsReadFromItsOwnBytes)
{
    const Firing firing =
        Packet("trace(this->p->a); trace(this->p->f); trace(this->p->d); trace(this->p->c); trace(this->p->a);", 24)
            .fire();
    EXPECT_EQ(firing.problem, "");
    EXPECT_EQ(firing.values,
              (std::vector<std::string>{"67305985", "404166165", "4625", "1157159078456920585", "67305985"}));
}

TEST(MemberReads, MembersWhoseValueIsNotUsedMayBeUnreadable)
{
    // The last member is unreadable: one read of all members fails, but separate reads of the other members succeed.
    const Firing whole = Packet("trace(this->p->a); trace(this->p->b);", 8).fire();
    EXPECT_EQ(whole.values, (std::vector<std::string>{"67305985", "134678021"}));
    Packet half("trace(this->p->a); trace(this->p->b == 0 ? this->p->f : this->p->b);", 8);
    const Firing firing = half.fire();
    EXPECT_EQ(firing.values, (std::vector<std::string>{"67305985", "134678021"}));
    EXPECT_TRUE(firing.faults.empty());
}

TEST(MemberReads, ReadingAMemberThatIsNotAccessibleIsAFault)
{
    const Firing firing = Packet("trace(this->p->a); trace(this->p->f);", 8).fire();
    EXPECT_EQ(firing.faults.size(), 1u);
}

TEST(MemberReads, FiveMembersAreReadWithOneHelperCall)
{
    Packet one("x = this->p->a;", 24), five("x = this->p->a + this->p->b + this->p->d + this->p->e + this->p->f;", 24);
    one.fire();
    five.fire();
    // If the members were read separately, four more reads would take about ten instructions each: operands, call,
    // test, load and addition.
    EXPECT_LT(five.executed(), one.executed() + 4 * 9);
}

} // namespace
} // namespace dt::test
