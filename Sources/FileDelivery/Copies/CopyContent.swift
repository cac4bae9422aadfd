internal import AccessLogs
public import UniversalLinks

/// The content of the body of a response.
public struct CopyContent: Sendable {
  /// The file's bytes, as far as they are available: the body without its coding.
  public var bytes: [UInt8]

  /// A Boolean value indicating whether `bytes` are complete.
  public var isWhole: Bool

  /// The problem of the compression, with its message, or `nil`.
  var codingProblem: (kind: DiagnosticKind, message: String)?

  /// A Boolean value indicating whether `bytes` are the file's, not those of a coding.
  public var isDecoded: Bool { codingProblem == nil }

  /// The file, or `nil` if systems can't read it.
  public var file: AssociationFile?

  /// The reason why there is no file, or `nil`.
  var fileError: AssociationFileError?

  /// A Boolean value indicating whether the file is signed: a CMS message in DER, which is
  /// detected from its first bytes.
  public var isSigned: Bool

  /// Decodes a body.
  init(_ response: DeliveryResponse) {
    bytes = response.body
    isWhole = response.bodyEnd == .whole
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    switch response.contentEncoding?.lowercased() {
    case nil:
      if isGzip {
        codingProblem = (
          .gzipUnannounced, "The body is gzip, but there is no 'Content-Encoding'."
        )
      }
    case "gzip", "x-gzip":
      // An empty body isn't gzip either, but it matters more that it is empty.
      if isGzip {
        let content = GzipBytes(decompressing: bytes, limit: DeliveryResponse.receivingLimit)
        bytes = content.bytes
        isWhole = isWhole && !content.isBeyondLimit && content.damage == nil
        // A body that was cut can't be blamed for ending too early.
        if let damage = content.damage, response.bodyEnd == .whole {
          codingProblem = (.gzipDamaged, "The body is damaged gzip: \(damage).")
        }
      } else if !bytes.isEmpty {
        codingProblem = (
          .notGzip,
          "'Content-Encoding' is \(response.contentEncoding ?? "gzip"), but the body is not gzip."
        )
      }
    case let name?:
      codingProblem = (
        .codingNotAskedFor, "The body has the coding '\(name)', which was not requested."
      )
    }
    isSigned = SignedMessage.isRecognized(bytes)
    guard isWhole, codingProblem == nil, bytes.count <= AssociationFile.sizeLimit else { return }
    do throws(AssociationFileError) {
      file = try AssociationFile(decoding: bytes)
    } catch {
      fileError = error
      // An unreadable body may be anything.
      isSigned = false
    }
  }
}
