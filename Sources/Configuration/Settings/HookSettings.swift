import Names

/// `bodies.hook`: restores bodies that an app's own NSURLProtocol takes away on the device.
public struct HookSettings: Sendable {
  /// Hosts whose pages get the script that carries bodies past the app, and whose requests get them back. None: switched off.
  public internal(set) var hosts: [HostPattern] = []
  /// The largest body that is restored, in bytes.
  public internal(set) var limit = 32 << 20
}
