import Configuration
import EventLoop
import HTTP
import Names
import Pictures
import Policy
import Records

extension Exchange {
  /// Looks into the answer, if it is a page whose pictures are to be loaded ahead.
  func beginScouting(_ head: ResponseHead) {
    let settings = connection.generation.configuration.pictures
    guard settings.prefetch, self.head.method == .get, head.status == 200, scheme == .https, connection.replay == nil,
      plan?.decision.action == .intercept, settings.names(target)
    else { return }
    scout = PictureScout(head)
  }

  /// The page is through.
  func endScouting() {
    guard var scout else { return }
    if scout.isBehind {
      self.scout?.readOn()
      return worker.loop.performSoon { self.endScouting() }
    }
    self.scout = nil
    let settings = connection.generation.configuration.pictures
    let page = LoopBound(connection, on: worker.loop)
    let errands = scout.finish(url.text).compactMap { url -> PictureQueue.Errand? in
      guard let origin = URLReference.origin(of: url),
        let other = try? HostPort(authority: String(origin.dropFirst(8)), defaultPort: 443), settings.names(other),
        other.host.isSameSite(as: target.host)
      else { return nil }
      let path = Array(url.dropFirst(origin.utf8.count).utf8)
      guard settings.namesPicture(path[...]) else { return nil }
      return PictureQueue.Errand(page: page, target: other, path: path, fields: fieldsOfErrand(other))
    }
    if !errands.isEmpty { worker.shared.pictureQueue.submit(errands) }
  }

  /// As SDWebImage asks, in the name of whoever got the page; what is for the page's origin alone stays with it.
  private func fieldsOfErrand(_ other: HostPort) -> [(name: String, value: String)] {
    var fields = [("Accept", "image/*,*/*;q=0.8")]
    if let agent = head.fields.first(.userAgent) { fields.append(("User-Agent", agent)) }
    if let language = head.fields.first(.acceptLanguage) { fields.append(("Accept-Language", language)) }
    guard other == target else { return fields }
    fields.append(("Referer", url.text))
    if let cookie = head.fields.first(.cookie) { fields.append(("Cookie", cookie)) }
    return fields
  }
}

extension Host {
  /// Whether both belong to one registrable domain. Where the public suffix list does not know the last label, that is the suffix.
  fileprivate func isSameSite(as other: Host) -> Bool {
    self == other || (address == nil && other.address == nil && site == other.site)
  }

  private var site: Substring {
    let suffix =
      PublicSuffixes.suffix(of: self) ?? text[(text.lastIndex(of: ".").map(text.index(after:)) ?? text.startIndex)...]
    let rest = text.utf8.dropLast(suffix.utf8.count + 1)
    let label = rest.lastIndex(of: UInt8(ascii: ".")).map { rest[rest.index(after: $0)...] } ?? rest
    return text[label.startIndex...]
  }
}
