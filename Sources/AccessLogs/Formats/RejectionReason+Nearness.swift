extension RejectionReason {
  /// How near a line came to being a request.
  var nearness: Int {
    switch self {
    case .emptyLine, .lineTooLong, .noFields: 0
    case .heading, .partialLine: 1
    case .noRequest: 2
    case .noTarget: 3
    case .noStatus: 4
    case .severalRequests: 5
    }
  }
}
