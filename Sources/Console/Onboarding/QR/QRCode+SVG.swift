extension QRCode {
  /// The margin that readers need, in modules.
  static let quietZone = 4

  /// A picture of its own, crisp at any size: dark on white in light and in dark surroundings, since readers expect that.
  var svg: String {
    let side = size + 2 * Self.quietZone
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>

      """
  }

  /// One rectangle for each run of dark modules in a row.
  private var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        let start = column
        while isDark(row, column) { column += 1 }
        let length = column - start
        if length > 0 {
          path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
        } else {
          column += 1
        }
      }
    }
    return path
  }
}
