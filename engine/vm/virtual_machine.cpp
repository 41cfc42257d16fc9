#include "engine/vm/virtual_machine.hpp"

#include "engine/vm/interpreter.hpp"
#include "engine/vm/jit.hpp"
#include "engine/vm/threaded_compiler.hpp"

namespace dt::vm {

namespace {

// Size of struct task_struct for programs without type information: such programs read only zero bytes of it.
constexpr uint64_t kTaskSize = 64;

} // namespace

VirtualMachine::VirtualMachine(Image image, uint32_t cpus) : image_(std::move(image)), cpus_(cpus)
{
    for (const MapSpec& spec : image_.maps)
        maps_.push_back(std::make_unique<Map>(spec, cpus_, memory_));
    for (Section& section : image_.sections)
        section_addresses_.push_back(memory_.lend(section.bytes, Kind::Data, section.writable));
    auto* registers = reinterpret_cast<uint8_t*>(environment.registers.data());
    registers_ = memory_.lend({registers, sizeof environment.registers}, Kind::Task);
    environment.task = memory_.allocate(kTaskSize, Kind::Task, false);
    interpreter_ = std::make_unique<Interpreter>(*this);
}

VirtualMachine::~VirtualMachine() = default;

Result<uint64_t> VirtualMachine::run(std::string_view function, std::span<const uint8_t> context)
{
    const Function* found = image_.function(function);
    if (!found)
        return Error{"no function " + std::string(function)};
    return run(*found, compiled(*found), context);
}

Result<uint64_t> VirtualMachine::run(const Function& function, const CompiledFunction* compiled,
                                     std::span<const uint8_t> context)
{
    reset_memory();
    executed_ = 0;
    if (environment.cpu >= cpus_) {
        fail(Error{"the chosen CPU does not exist"});
        return *error_;
    }
    if (!compiled || context.size() < compiled->context || interpreting_) {
        const auto result = interpret(function, context);
        if (!result)
            fail(result.error());
        return result;
    }
    const auto result = interpreter_->run(*compiled, context.data(), context.size());
    memory_.reclaim();
    if (result)
        return *result;
    fail(interpreter_->error());
    return *error_;
}

void VirtualMachine::fail(Error error)
{
    error_ = std::move(error);
    for (auto& [function, call] : direct_)
        call.least = kEndless;
}

void VirtualMachine::reset_memory()
{
    if (!error_)
        return;
    error_.reset();
    for (auto& [function, call] : direct_)
        if (call.code)
            call.least = function->context;
}

Result<uint64_t> VirtualMachine::interpret(const Function& function, std::span<const uint8_t> context)
{
    std::vector<uint8_t> copy(context.begin(), context.end());
    auto address = reinterpret_cast<uint64_t>(context.data());
    // Makes the copy of the context addressable. Compiled code expects the context at the address of the original, so
    // that address is used if it is free.
    if (!code_ || !memory_.lend_at(address, copy, Kind::Context).ok())
        address = memory_.lend(copy, Kind::Context);
    Result<uint64_t> result = interpreter_->run(function.first, address);
    memory_.forget(address);
    memory_.reclaim();
    return result;
}

// ---- compiled code

const CompiledFunction* VirtualMachine::compiled(const Function& function) const
{
    if (!code_)
        return nullptr;
    const auto found = code_->functions.find(function.first);
    return found != code_->functions.end() && found->second.root ? &found->second : nullptr;
}

bool VirtualMachine::can_compile()
{
    return has_compiler();
}

Result<void> VirtualMachine::compile(Executor best)
{
    if (best == Executor::Checked || best == executor_)
        return {};
    Proof proof(image_);
    if (const std::string refusal = proof.run(); !refusal.empty())
        return Error{"not compiled: " + refusal};
    CompileContext around;
    // Compiled code contains the host addresses of the sections as constants.
    for (std::size_t i = 0; i < section_addresses_.size(); ++i)
        around.sections.push_back(
            reinterpret_cast<uint64_t>(memory_.host(section_addresses_[i], image_.sections[i].bytes.size())));
    around.environment = &environment;
    around.stack_end = interpreter_->stack_end();
    std::unique_ptr<CompiledCode> made;
    if (best == Executor::Native)
        if (auto native = compile_native(image_, proof, around); native.ok())
            made = std::move(*native);
    const bool native = made != nullptr, first = !code_;
    direct_.clear();
    code_ = native ? std::move(made) : compile_threaded(image_, proof, around);
    executor_ = native ? Executor::Native : Executor::Threaded;
    if (first)
        use_host_addresses();
    return {};
}

void VirtualMachine::use_host_addresses()
{
    const auto moved = memory_.use_host_addresses();
    const auto move = [&](uint64_t& address) {
        if (const auto found = moved.find(address); found != moved.end())
            address = found->second;
    };
    for (const auto& map : maps_)
        map->move(moved);
    for (uint64_t& address : section_addresses_)
        move(address);
    move(registers_);
    move(environment.task);
}

Result<Entry> VirtualMachine::entry(std::string_view function)
{
    Entry entry;
    entry.vm_ = this;
    entry.function_ = image_.function(function);
    if (!entry.function_)
        return Error{"no function " + std::string(function)};
    entry.compiled_ = compiled(*entry.function_);
    const bool direct = entry.compiled_ && entry.compiled_->direct && budget >= entry.compiled_->most;
    DirectCall& call = direct_[direct ? entry.compiled_ : nullptr];
    if (direct)
        call = {entry.compiled_->direct, entry.compiled_->operations, error_ ? kEndless : entry.compiled_->context};
    entry.direct_ = &call;
    return entry;
}

uint64_t Entry::call(const void* context, std::size_t size) const
{
    VirtualMachine& vm = *vm_;
    if (compiled_ && size >= compiled_->context && vm.environment.cpu < vm.cpus_) [[likely]] {
        vm.reset_memory();
        const auto result = vm.interpreter_->run(*compiled_, context, size);
        vm.memory_.reclaim();
        if (result) [[likely]]
            return *result;
        vm.fail(vm.interpreter_->error());
        return 0;
    }
    const auto result = vm.run(*function_, compiled_, {static_cast<const uint8_t*>(context), size});
    return result ? result.value() : 0;
}

Map* VirtualMachine::map(std::string_view name)
{
    for (const auto& map : maps_)
        if (map->spec().name == name)
            return map.get();
    return nullptr;
}

std::span<uint8_t> VirtualMachine::section(std::string_view name)
{
    for (std::size_t i = 0; i < image_.sections.size(); ++i)
        if (const std::size_t size = image_.sections[i].bytes.size(); image_.sections[i].name == name)
            return {memory_.host(section_addresses_[i], size), size};
    return {};
}

Result<void> VirtualMachine::place_section(std::string_view name, std::span<uint8_t> memory)
{
    for (std::size_t i = 0; i < image_.sections.size(); ++i) {
        const Section& section = image_.sections[i];
        if (section.name != name)
            continue;
        if (section.bytes.size() != memory.size())
            return Error{"section " + section.name + " has " + std::to_string(section.bytes.size()) + " bytes"};
        memory_.forget(section_addresses_[i]);
        return memory_.lend_at(section_addresses_[i], memory, Kind::Data, section.writable);
    }
    return Error{"no section " + std::string(name)};
}

} // namespace dt::vm
