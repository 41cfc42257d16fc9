#include "engine/vm/virtual_machine.hpp"
#include "test/verify/differential/observe.hpp"

namespace dt::differential {

namespace {

constexpr uint32_t kCpus = 2;

class UserRunner final : public Runner {
public:
    explicit UserRunner(vm::Executor executor) : executor_(executor) {}
    const char* name() const override
    {
        return executor_ == vm::Executor::Native     ? "compiled vm"
               : executor_ == vm::Executor::Threaded ? "threaded vm"
                                                     : "vm";
    }

    Result<void> run(const Object& object, std::size_t context_words) override
    {
        auto image = vm::parse(object.elf);
        if (!image)
            return image.error();
        const struct {
            const char* map;
            uint32_t entries;
        } sizes[] = {{DT_MAP_BUFFERS, kCpus}, {DT_MAP_LOSSES, kCpus}, {DT_MAP_SCRATCH, kCpus * DT_SLOTS}};
        for (const auto& size : sizes)
            if (vm::MapSpec* map = image->map(size.map))
                map->max_entries = size.entries;
        vm_ = std::make_unique<vm::VirtualMachine>(std::move(*image), kCpus);
        if (auto compiled = vm_->compile(executor_); !compiled)
            return compiled.error();
        // Runs only the first program of the object. The second one, if any, removes the variables of ended threads.
        if (object.schema.programs.empty() || object.schema.programs[0].probes.empty())
            return Error{"the first program does not belong to a probe"};
        const Bytes context(context_words * 8);
        if (auto done = vm_->run(object.schema.programs[0].name, context); !done)
            return done.error();
        samples_.clear();
        if (const vm::Map* buffers = vm_->map(DT_MAP_BUFFERS))
            for (const vm::Sample& sample : buffers->samples)
                samples_.push_back(sample.bytes);
        return {};
    }

    const std::vector<Bytes>& samples() const override { return samples_; }

    Result<void> entries(const std::string& name,
                         const std::function<void(const Bytes&, const std::vector<Bytes>&)>& visit) override
    {
        const vm::Map* map = vm_->map(name);
        if (!map)
            return Error{"no map " + name};
        for (const Bytes& key : map->keys()) {
            std::vector<Bytes> values;
            for (uint32_t cpu = 0; cpu < (map->per_cpu() ? kCpus : 1); ++cpu) {
                const auto value = map->value(key, cpu);
                values.emplace_back(value.begin(), value.end());
            }
            visit(key, values);
        }
        return {};
    }

private:
    vm::Executor executor_;
    std::unique_ptr<vm::VirtualMachine> vm_;
    std::vector<Bytes> samples_;
};

} // namespace

std::vector<std::unique_ptr<Runner>> user_runners()
{
    std::vector<std::unique_ptr<Runner>> all;
    for (const vm::Executor executor : {vm::Executor::Checked, vm::Executor::Threaded, vm::Executor::Native})
        if (executor != vm::Executor::Native || vm::VirtualMachine::can_compile())
            all.push_back(std::make_unique<UserRunner>(executor));
    return all;
}

} // namespace dt::differential
