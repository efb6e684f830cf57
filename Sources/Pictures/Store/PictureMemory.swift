import HTTP

/// The pictures in memory, by URL. A value that its owner guards.
///
/// Bounded: when it is full, those go that were used the longest ago, until a quarter is free; so going through all of them is rare.
struct PictureMemory {
  private var pictures: [String: [StoredPicture]] = [:]
  private(set) var byteCount = 0
  private(set) var evictionCount = 0
  var byteLimit: Int {
    didSet { makeRoom() }
  }

  /// Of one URL: for each decision, and for what its responses vary by.
  private static let variantLimit = 32

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// The newest that fits (RFC 9111, section 4.1).
  func find(_ question: PictureQuestion) -> StoredPicture? {
    var found: StoredPicture?
    for picture in pictures[question.place.url] ?? [] where picture.answers(question) {
      if found.map(picture.isNewer) ?? true { found = picture }
    }
    return found
  }

  /// Takes a picture in place of those that `question` would have got so far.
  mutating func insert(_ picture: StoredPicture, for question: PictureQuestion) {
    remove(picture.place.url) { $0.answers(question) || ($0.place == picture.place && $0.variant == picture.variant) }
    guard picture.byteCount <= byteLimit / 2 else { return }
    var all = pictures[picture.place.url] ?? []
    if all.count >= Self.variantLimit { byteCount -= all.removeFirst().byteCount }
    all.append(picture)
    pictures[picture.place.url] = all
    byteCount += picture.byteCount
    makeRoom()
  }

  mutating func remove(_ url: String, where isDoomed: (StoredPicture) -> Bool = { _ in true }) {
    guard var all = pictures[url] else { return }
    for picture in all where isDoomed(picture) { byteCount -= picture.byteCount }
    all.removeAll(where: isDoomed)
    pictures[url] = all.isEmpty ? nil : all
  }

  /// What came under another decision of the scope is gone.
  mutating func wipe(scope: String, except decision: String) {
    for url in Array(pictures.keys) { remove(url) { $0.place.scope == scope && $0.place.decision != decision } }
  }

  mutating func wipe(scope: String, decision: String) {
    for url in Array(pictures.keys) { remove(url) { $0.place.scope == scope && $0.place.decision == decision } }
  }

  private mutating func makeRoom() {
    guard byteCount > byteLimit else { return }
    let oldestFirst = pictures.values.joined().sorted { $0.lastUse < $1.lastUse }
    for picture in oldestFirst where byteCount > byteLimit * 3 / 4 {
      remove(picture.place.url) { $0 === picture }
      evictionCount += 1
    }
  }
}

extension StoredPicture {
  func answers(_ question: PictureQuestion) -> Bool {
    place == question.place && variant.matches(question.fields)
  }
}
