// Implementations of a filter in user space: compiled C; eBPF in the virtual machine, either compiled, interpreted, or
// interpreted with checks at each step; bytecode of a stack machine.
#include "test/bench/filters/user.hpp"

#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include "engine/vm/virtual_machine.hpp"
#include "test/bench/filters/bytecode.hpp"

namespace dt::bench::filters {

void Recorder::write(const uint8_t* event, std::size_t size)
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (at_ + sizeof now + size > buffer_.size())
        at_ = 0;
    std::memcpy(&buffer_[at_], &now, sizeof now);
    std::memcpy(&buffer_[at_ + sizeof now], event, size);
    at_ += sizeof now + size;
}

namespace {

// Runs a filter on events in a loop. Each implementation has its own instance of this template, so that the filter is
// the only call in the loop.
template <typename Verdict> class Loop final : public Evaluator {
public:
    Loop(std::string title, Verdict verdict) : verdict_(std::move(verdict)) { name = std::move(title); }

    long run(const Events& events, std::size_t first, std::size_t count, Recorder* recorder) override
    {
        long passed = 0;
        const uint8_t* event = events.at(first);
        for (std::size_t i = 0; i < count; i++, event += events.size) {
            if (!verdict_(event))
                continue;
            passed++;
            if (recorder)
                recorder->write(event, events.size);
        }
        return passed;
    }

private:
    Verdict verdict_;
};

template <typename Verdict> std::unique_ptr<Evaluator> loop(std::string name, Verdict verdict)
{
    return std::make_unique<Loop<Verdict>>(std::move(name), std::move(verdict));
}

Result<vm::Image> load_image()
{
    std::ifstream stream(DTRACE_BENCH_FLAT_OBJECT, std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
    return vm::parse({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

// Returns an implementation of the filter as eBPF, run by the virtual machine with the given executor. Each executor
// has its own instance of the event loop.
template <vm::Executor executor>
Result<std::unique_ptr<Evaluator>> engine_evaluator(const Shape& shape, const char* name)
{
    auto image = load_image();
    if (!image)
        return image.error();
    auto vm = std::make_shared<vm::VirtualMachine>(std::move(*image));
    if (auto done = vm->compile(executor); !done)
        return done.error();
    if (vm->executor() != executor)
        return Error{std::string(name) + ": not here"};
    auto entry = vm->entry("flat_" + shape.name);
    if (!entry)
        return entry.error();
    return loop(name,
                [vm, call = *entry, size = shape.event_size](const uint8_t* event) { return call(event, size) != 0; });
}

} // namespace

std::vector<std::unique_ptr<Evaluator>> user_evaluators(const Shape& shape, std::string& problem)
{
    std::vector<std::unique_ptr<Evaluator>> all;
    all.push_back(loop("no filter", [](const uint8_t* event) {
        asm volatile("" : : "r"(event)); // keeps the compiler from removing the loop
        return true;
    }));
    // The pointer is volatile, so that the compiler cannot inline the filter: a tracer does not know at compile time
    // which filter it will load.
    auto* volatile compiled = shape.compiled;
    all.push_back(loop("compiled C", [call = compiled](const uint8_t* event) { return call(event) != 0; }));
    const auto add = [&](Result<std::unique_ptr<Evaluator>> evaluator) {
        if (evaluator)
            all.push_back(std::move(*evaluator));
        else
            problem = evaluator.error().message;
    };
    add(engine_evaluator<vm::Executor::Native>(shape, "eBPF, compiled"));
    add(engine_evaluator<vm::Executor::Threaded>(shape, "eBPF, interpreted"));
    add(engine_evaluator<vm::Executor::Checked>(shape, "eBPF, checked"));
    all.push_back(loop("stack bytecode",
                       [code = shape.bytecode](const uint8_t* event) { return interpret(code.data(), event); }));
    return all;
}

} // namespace dt::bench::filters
