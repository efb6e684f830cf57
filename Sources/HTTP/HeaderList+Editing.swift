extension HeaderList {
  /// Adds a field at the end; blanks around the value are dropped. Adds nothing and answers false if the name is no token or the
  /// value holds a control byte, so that no text can break out of its line.
  @discardableResult
  public mutating func append(name: String, value: String) -> Bool {
    var name = name
    var value = value
    return name.withUTF8 { name in
      value.withUTF8 { append(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer($0)) }
    }
  }

  /// As `append(name:value:)`, under the usual spelling of `token`; false for `other`.
  @discardableResult
  public mutating func append(_ token: FieldName, _ value: String) -> Bool {
    var value = value
    return value.withUTF8 { value in
      token.spelling.withUTF8Buffer { append(name: UnsafeRawBufferPointer($0), value: UnsafeRawBufferPointer(value)) }
    }
  }

  /// As `append(name:value:)`, from bytes that are not in this list.
  @discardableResult
  public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
    let value = UnsafeRawBufferPointer(rebasing: value[value.bytes.trimmed(0..<value.count)])
    guard ByteClass.isToken(name), value.bytes.isText(0..<value.count),
      storage.count + name.count + value.count <= Int(UInt32.max)
    else { return false }
    let token = FieldName.recognise(name.bytes, 0..<name.count)
    let start = storage.count
    storage.append(contentsOf: name)
    storage.append(contentsOf: value)
    entries.append(Entry(token: token, name: start..<start + name.count, value: start + name.count..<storage.count))
    if token != .other { present |= token.bit }
    return true
  }

  /// Removes all fields of that name. `other` removes nothing.
  public mutating func remove(_ token: FieldName) {
    guard contains(token) else { return }
    entries.removeAll { $0.token == token }
    present &= ~token.bit
  }

  /// Removes all fields of that name, in any case.
  public mutating func remove(named name: String) {
    let doomed = indices(named: name)
    for index in doomed.reversed() { entries.remove(at: index) }
    present = entries.reduce(0) { $1.token == .other ? $0 : $0 | $1.token.bit }
  }

  /// Gives the first field of that name a new value, keeping its place and spelling, and removes the others; adds one if there is
  /// none. False, and nothing changed, under the conditions of `append`.
  @discardableResult
  public mutating func replace(_ token: FieldName, with value: String) -> Bool {
    let place = contains(token) ? entries.firstIndex { $0.token == token } : nil
    guard append(token, value) else { return false }
    guard let place, let added = entries.popLast() else { return true }
    entries[place].valueStart = added.valueStart
    entries[place].valueEnd = added.valueEnd
    var index = place + 1
    while index < entries.count {
      if entries[index].token == token { entries.remove(at: index) } else { index += 1 }
    }
    return true
  }
}

extension HeaderList.Entry {
  /// The offsets of a list stay below 4 GiB: `append` and the limits of the decoders see to that.
  @inline(__always)
  init(token: FieldName, name: Range<Int>, value: Range<Int>) {
    self.init(
      token: token, nameStart: UInt32(truncatingIfNeeded: name.lowerBound),
      nameEnd: UInt32(truncatingIfNeeded: name.upperBound), valueStart: UInt32(truncatingIfNeeded: value.lowerBound),
      valueEnd: UInt32(truncatingIfNeeded: value.upperBound))
  }
}
