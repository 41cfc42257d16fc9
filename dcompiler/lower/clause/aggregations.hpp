// Lowers aggregating functions: the key, its entry in a map, and the update of the value.
#pragma once

#include <functional>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

class Aggregations : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    void aggregate(const TStmt& s);
    /// Yields the address of the map element that holds aggregations without keys. Control goes to `missing` if the
    /// element does not exist, which never happens.
    ir::Value unkeyed_element(const AggregationSchema& schema, ir::BlockId missing);

private:
    /// Blocks and values that result from looking up or creating a key in a map.
    struct Entry {
        std::vector<ir::Value> found;  ///< results of the lookup or update, one for each block that jumps to `join`
        ir::Value updated = ir::kNone; ///< status of the map update that creates the key
    };

    void add_alone(const std::function<void()>& add);
    ir::Value unkeyed_value(const Aggregation& aggregation, const AggregationSchema& schema);
    ir::Value keys_of(const TStmt& s, const AggregationSchema& schema);
    ir::Value keyed_value(const TStmt& s, const AggregationSchema& schema, ir::Value key, ir::BlockId done);
    void drop_key(ir::Value status);
    Entry entry_in(const std::function<ir::Value()>& map, const AggregationSchema& schema, ir::Value key,
                   ir::BlockId full, ir::BlockId join, const std::function<void()>& when_made = {});
    Entry overflow_value(const TStmt& s, const AggregationSchema& schema, ir::Value key, ir::BlockId lost,
                         ir::BlockId join);
    void aggregation_key(const TExpr& e, const Datum& datum, ir::Value key);
};

} // namespace dt::lower
