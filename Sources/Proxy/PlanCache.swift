import Configuration
import Names
import Policy

/// The plans of one loop, made when a destination is first asked for. Bounded: when it is full, those go that nobody asked for since
/// it was last full.
struct PlanCache {
  /// A plan may hold tickets, and with each the origin's certificates.
  private static let limit = 2_048

  private var plans: [OriginPlan.Key: OriginPlan] = [:]

  mutating func plan(for key: OriginPlan.Key, lane: Lane, generation: Generation) -> OriginPlan {
    if let known = plans[key] {
      known.wasAskedFor = true
      return known
    }
    if plans.count >= Self.limit { makeRoom() }
    let made = OriginPlan(key: key, lane: lane, generation: generation)
    plans[key] = made
    return made
  }

  func forEach(_ body: (OriginPlan) -> Void) {
    for plan in plans.values { body(plan) }
  }

  /// Keeps the plans that another generation would make just as they are, and forgets the others.
  mutating func move(from old: Generation, to next: Generation) {
    guard next.keepsOrigins(of: old) else { return removeAll() }
    let all = plans.values
    plans = [:]
    for plan in all {
      if plan.move(to: next) { plans[plan.key] = plan } else { plan.closeIdle() }
    }
  }

  /// Forgets all plans, and closes what nobody uses. Connections in use close when their exchange ends.
  mutating func removeAll() {
    for plan in plans.values { plan.closeIdle() }
    plans = [:]
  }

  private mutating func makeRoom() {
    let keepsAsked = plans.values.count { $0.wasAskedFor } < Self.limit * 3 / 4
    for (key, plan) in plans {
      if keepsAsked, plan.wasAskedFor {
        plan.wasAskedFor = false
      } else {
        plan.closeIdle()
        plans[key] = nil
      }
    }
  }
}
