/// The kind of client that sent a request, detected from its user agent.
public enum Platform: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// Safari on iOS or iPadOS 13 and later.
  case ios

  /// Safari on iOS 12 and earlier, which reads only the old `paths` rules.
  case ios12

  /// Another browser on iOS.
  case iosBrowser

  /// A web view inside an app on iOS.
  case inApp

  /// Safari on a Mac, or on an iPad that asks for desktop pages.
  case macos

  /// Any browser or app on Android.
  case android

  /// A crawler, a link preview, a monitor, or a script.
  case bot

  /// Apple's fetchers of association files: its CDN and devices.
  case fetcher

  /// Anything else, and clients that don't name themselves.
  case other
}

extension Platform {
  /// The name in reports.
  public var name: String { String(describing: self) }

  /// A Boolean value indicating whether requests from this platform can be visits of a person on an
  /// Apple device.
  public var isApple: Bool {
    switch self {
    case .ios, .ios12, .iosBrowser, .inApp, .macos: true
    case .android, .bot, .fetcher, .other: false
    }
  }
}
