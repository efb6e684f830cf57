/// A dictionary of bounded size that gives up what was not used for longest. Look-up, insertion and removal take constant time.
struct RecentTable<Value> {
  private struct Slot {
    var key: String
    var value: Value
    /// Towards the one used more recently.
    var newer: Int?
    /// Towards the one used less recently.
    var older: Int?
  }

  private let capacity: Int
  private var slots: [Slot] = []
  private var places: [String: Int] = [:]
  private var newest: Int?
  private var oldest: Int?

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  var count: Int { places.count }

  /// The value, which is now the one used last.
  mutating func use(_ key: String) -> Value? {
    guard let place = places[key] else { return nil }
    if place != newest {
      unlink(place)
      makeNewest(place)
    }
    return slots[place].value
  }

  /// Puts a value in, in place of one with this key or, when the table is full, of the one used least recently.
  mutating func put(_ key: String, _ value: Value) {
    if let place = places[key] {
      slots[place].value = value
      unlink(place)
      makeNewest(place)
    } else if slots.count < capacity {
      slots.append(Slot(key: key, value: value))
      places[key] = slots.count - 1
      makeNewest(slots.count - 1)
    } else if let place = oldest {
      places[slots[place].key] = nil
      unlink(place)
      slots[place].key = key
      slots[place].value = value
      places[key] = place
      makeNewest(place)
    }
  }

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (slots[place].newer, slots[place].older)
    if let newer { slots[newer].older = older } else { newest = older }
    if let older { slots[older].newer = newer } else { oldest = newer }
  }

  private mutating func makeNewest(_ place: Int) {
    slots[place].newer = nil
    slots[place].older = newest
    if let newest { slots[newest].newer = place }
    newest = place
    if oldest == nil { oldest = place }
  }
}
