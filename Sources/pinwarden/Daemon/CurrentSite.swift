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

  func answer(path: String, proxy: String) -> InternalAnswer {
    site.withLock { $0 }.answer(path: path, proxy: proxy)
  }
}
