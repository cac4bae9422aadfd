internal import AsyncHTTPClient
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1

/// Takes an answer in, as far as it is wanted.
///
/// What has come stays here, so that it is known also of an answer that ends too early.
final class CopyReceiver: HTTPClientResponseDelegate {
  /// Enough has come.
  struct Enough: Error {}

  private struct State {
    var response: DeliveryResponse?
    var isBeyondLimit = false
  }

  private let state = NIOLockedValueBox(State())

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    state.withLockedValue { state in
      state.response = DeliveryResponse(
        status: Int(head.status.code),
        fields: head.headers.map { DeliveryResponse.Field($0.name, $0.value) })
    }
    // What stands in an error page doesn't matter.
    return head.status.code == 200
      ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(Enough())
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let isBeyondLimit = state.withLockedValue { state in
      guard var response = state.response else { return false }
      state.response = nil
      let free = DeliveryResponse.receivingLimit - response.body.count
      response.body.append(contentsOf: buffer.readableBytesView.prefix(free))
      state.isBeyondLimit = buffer.readableBytes > free
      state.response = response
      return state.isBeyondLimit
    }
    return isBeyondLimit
      ? task.eventLoop.makeFailedFuture(Enough()) : task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) {}

  /// The answer as far as it has come.
  ///
  /// - Parameter end: How its body ended, if not because enough had come.
  /// - Returns: The answer, or `nil` if none has begun.
  func response(_ end: DeliveryResponse.BodyEnd) -> DeliveryResponse? {
    state.withLockedValue { state in
      guard var response = state.response else { return nil }
      response.bodyEnd =
        response.status != 200 ? .whole : state.isBeyondLimit ? .beyondLimit : end
      return response
    }
  }
}
