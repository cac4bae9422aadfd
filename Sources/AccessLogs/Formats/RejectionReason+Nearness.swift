extension RejectionReason {
  /// The similarity of a rejected line to a request.
  var nearness: Int {
    switch self {
    case .emptyLine, .lineTooLong, .noFields: 0
    case .heading, .partialLine: 1
    case .noRequest: 2
    case .noTarget: 3
    case .noStatus: 4
    case .severalRequests, .noCount: 5
    }
  }
}
