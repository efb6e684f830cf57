/// What may be done with a stored picture for one request.
public enum StoredUse: Sendable, Equatable {
  /// Served at once.
  case fresh
  /// Served at once, and the origin is asked meanwhile whether it still holds (RFC 5861, section 3).
  case staleWhileRevalidating
  /// Served if the origin confirms it.
  case stale
  /// As if it were not there.
  case gone
}

extension StoredPicture {
  /// - Parameter now: milliseconds since 1970.
  public func use(for request: RequestTerms, now: Int64, _ freshness: Freshness) -> StoredUse {
    switch freshness {
    case .access(let maximumAge): now - lastUse < maximumAge ? .fresh : .gone
    case .rfc9111:
      isFresh(for: request, now: now) ? .fresh : mayWait(for: request, now: now) ? .staleWhileRevalidating : .stale
    }
  }

  private func mayWait(for request: RequestTerms, now: Int64) -> Bool {
    guard let permitted = terms.staleWhileRevalidate, !terms.forbidsStale, !terms.isNoCache, !request.isNoCache,
      request.maximumAge == nil, request.minimumFresh == nil
    else { return false }
    return age(at: now) - lifetime <= permitted
  }

  /// RFC 9111, sections 4.2, 5.2.1 and 5.2.2.
  private func isFresh(for request: RequestTerms, now: Int64) -> Bool {
    guard !terms.isNoCache, !request.isNoCache else { return false }
    let age = age(at: now)
    if let most = request.maximumAge, age > most { return false }
    let remaining = lifetime - age
    if let least = request.minimumFresh, remaining < least { return false }
    if remaining > 0 { return true }
    guard !terms.forbidsStale, let permitted = request.maximumStale else { return false }
    return switch permitted {
    case .any: true
    case .upTo(let seconds): -remaining <= seconds
    }
  }

  /// Whether it may be served although the origin failed (RFC 5861, section 4).
  public func mayServeOnError(for request: RequestTerms, now: Int64) -> Bool {
    guard !terms.forbidsStale, !terms.isNoCache, !request.isNoCache,
      let permitted = [terms.staleIfError, request.staleIfError].compactMap({ $0 }).max()
    else { return false }
    return age(at: now) - lifetime <= permitted
  }

  /// Whether nothing but the origin's word will do, so that without it 504 is the answer (RFC 9111, section 5.2.2.2).
  public var demandsValidation: Bool { terms.forbidsStale }
}
