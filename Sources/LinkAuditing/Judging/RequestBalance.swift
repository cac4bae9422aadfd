public import TrafficDigest

/// The requests of an input by what became of them; a report counts each once.
public struct RequestBalance: Hashable, Sendable {
  /// The requests of the input, within the requested period.
  public var input: Int

  /// The requests that have a verdict.
  public var judged: Int

  /// The requests for hosts that are no sites.
  public var otherHosts: Int

  /// The requests for sites that a filter or ignored paths leave out.
  public var leftOut: Int

  /// A Boolean value indicating whether no request is lost or counted twice.
  var isEven: Bool { input == judged + otherHosts + leftOut }
}

extension RequestBalance: CustomStringConvertible {
  public var description: String {
    "the input has \(input.counted("request")), but \(judged.grouped) have a verdict, "
      + "\(otherHosts.grouped) are for other hosts, and filters ignore \(leftOut.grouped)"
  }
}

/// The reason why a digest has no report.
public enum JudgingError: Error, Sendable {
  /// A digest's file can't be read.
  case digest(DigestFileError)

  /// Requests were lost or counted twice.
  case unbalanced(RequestBalance)
}
