// sdt: names that other systems have for tracepoints of Linux. All other probes of sdt are the tracepoints themselves
// (probes/sdt.cpp).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {

const std::vector<Row>& sdt_rows()
{
    // irq_handler_entry(number, action), irq_handler_exit(number, action, result). The arguments are those of other
    // systems: the interrupt's device (not 0), its handler, the handler's two arguments, and whether the device had
    // raised it (1: IRQ_HANDLED, DDI_INTR_CLAIMED).
    const Source action = word(1), handler = behind(action, "irqaction", "handler"),
                 device = behind(action, "irqaction", "dev_id"), number_ = word(0, 4);
    const std::vector<ProbeArgument> begun{
        {"struct irqaction *", {}, 0}, {"uintptr_t", {}, 1}, number(2), {"void *", {}, 3}};
    std::vector<ProbeArgument> ended = begun;
    ended.push_back(number(4));
    static const std::vector<Row> kRows = {
        {"interrupt-start", {raw("irq_handler_entry", {action, handler, number_, device})}, begun},
        {"interrupt-complete", {raw("irq_handler_exit", {action, handler, number_, device, word(2, 4)})}, ended},
    };
    return kRows;
}

} // namespace dt::probes::stable
