// typed_cxx: calls C++ functions with objects, references and templates once each. Built with debug information.
#include <cstdint>
#include <string>
#include <string_view>

namespace shop {

struct Base {
    virtual ~Base() = default;
    int id = 11;
};

struct Priced {
    int price = 250;
};

class Item : public Base, public Priced {
public:
    static int made;
    const char *name = "spoon";
    enum class State : uint8_t { New, Sold = 200 } state = State::Sold;
    struct Label {
        int width = 3;
    } label;
    __attribute__((noinline)) int sell(int amount, bool at_once);
};

int Item::made = 5;

int Item::sell(int amount, bool at_once)
{
    asm volatile("" : "+r"(amount) : : "memory");
    return amount + at_once;
}

template <typename Kind> struct Box {
    Kind inside;
    int count;
};

__attribute__((noinline)) long open_box(const Box<long> &box, Item &item)
{
    asm volatile("" ::: "memory");
    return box.inside + item.id;
}

__attribute__((noinline)) std::size_t length(std::string text, int more)
{
    asm volatile("" ::: "memory");
    return text.size() + static_cast<std::size_t>(more);
}

__attribute__((noinline)) std::size_t both(std::string_view part, const std::string &whole)
{
    asm volatile("" ::: "memory");
    return part.size() + whole.size();
}

namespace other {
struct Label {
    char text[8] = "other";
};
} // namespace other

__attribute__((noinline)) int show(other::Label *label)
{
    asm volatile("" ::: "memory");
    return label->text[0];
}

} // namespace shop

int main()
{
    shop::Item item;
    shop::Box<long> box{77, 2};
    shop::other::Label label;
    const std::string whole = "a text that is longer than fifteen bytes";
    const long texts = static_cast<long>(shop::both(std::string_view(whole).substr(2, 4), whole));
    const long sum = texts + item.sell(42, true) + shop::open_box(box, item) + static_cast<long>(shop::length("four", 5)) + shop::show(&label);
    return sum == 12345;
}
