import Configuration
import Names
import Policy

/// The plans of one loop, made when a destination is first asked for. Bounded: when it is full, plans without connections go.
struct PlanCache {
  private static let limit = 20_000

  private var plans: [OriginPlan.Key: OriginPlan] = [:]

  mutating func plan(for key: OriginPlan.Key, lane: Lane, generation: Generation) -> OriginPlan {
    if let known = plans[key] { return known }
    if plans.count >= Self.limit { makeRoom() }
    let made = OriginPlan(key: key, lane: lane, generation: generation)
    plans[key] = made
    return made
  }

  /// Forgets all plans, and closes what nobody uses. Connections in use close when their exchange ends.
  mutating func removeAll() {
    for plan in plans.values { plan.closeIdle() }
    plans = [:]
  }

  private mutating func makeRoom() {
    plans = plans.filter { !$0.value.isUnused }
    guard plans.count >= Self.limit else { return }
    for plan in plans.values { plan.closeIdle() }
    plans = [:]
  }
}
