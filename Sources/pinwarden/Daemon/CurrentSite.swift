import Console
import Records
import Synchronization

/// The site for devices as it is now: a reload may bring another authority.
final class CurrentSite: InternalSite {
  private let site: Mutex<OnboardingSite>

  init(_ site: OnboardingSite) {
    self.site = Mutex(site)
  }

  func use(_ site: OnboardingSite) {
    self.site.withLock { $0 = site }
  }

  func answer(_ request: InternalRequest) -> InternalAnswer {
    site.withLock { $0 }.answer(request)
  }

  func certificateRefused(client: String, lane: String, detail: String) {
    site.withLock { $0 }.certificateRefused(client: client, lane: lane, detail: detail)
  }
}
