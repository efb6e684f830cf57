import Names
import Policy

extension ConfigurationDraft {
  /// Lets the command line have its say; what it cannot mean is reported under the name of the option.
  mutating func apply(_ overrides: CommandLineOverrides, reading: Reading) {
    func complain(_ option: String, _ message: String) {
      reading.add(Finding(level: .error, keyPath: option, message: message))
    }
    if let text = overrides.listen {
      if let address = ListenAddress(text) {
        listeners = [ListenerSettings(address: address)]
      } else {
        complain("--listen", "`\(text)` is no address to listen on; \"127.0.0.1:8080\" or \"[::1]:8080\" is expected")
      }
    }
    for text in overrides.allow {
      if let network = CIDR(text) {
        access.clients.append(network)
      } else {
        complain("--allow", "`\(text)` is no network; an address or a network such as \"10.0.0.0/8\" is expected")
      }
    }
    if let text = overrides.console {
      if text == "off" {
        console = nil
      } else if let address = ListenAddress(text) {
        var settings = console ?? ConsoleSettings()
        settings.address = address
        console = settings
      } else {
        complain("--console", "`\(text)` is no address to listen on; \"127.0.0.1:8081\" or \"off\" is expected")
      }
    }
    if let folder = overrides.stateDirectory {
      if folder.isEmpty { complain("--state-directory", "the path is empty") } else { stateDirectory = folder }
    }
  }
}
