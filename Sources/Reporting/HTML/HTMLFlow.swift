internal import LinkAuditing

/// The heaviest ways from page to page of the same host, as bands whose width is their visits.
struct HTMLFlow {
  let pairs: [PagePair]

  /// The number of pairs that readers can distinguish.
  private static let limit = 10

  /// The height of all bands together, in pixels.
  private static let scale = 200

  /// The height of a label, and the gap below it.
  private static let (labelHeight, gap) = (22, 6)

  private struct Node {
    var path: String
    var visits = 0

    /// The start of its place, and of the next band, in tenths of a pixel.
    var top = 0
    var next = 0
  }

  func write(to page: inout HTMLWriter) {
    let shown = Array(pairs.prefix(Self.limit))
    let total = shown.reduce(0) { $0 + $1.visits }
    guard let first = shown.first, total > 0 else { return }
    var from = Self.nodes(shown, \.from, of: total)
    var to = Self.nodes(shown, \.to, of: total)
    let height = max(Self.height(from, of: total), Self.height(to, of: total))
    let label =
      "The \(shown.count.counted("heaviest link")) between pages of the same host; the heaviest has "
      + "\(first.visits.counted("visit")). The table below has the figures."
    page.block("figure") { page in
      page.element(
        "svg",
        [
          "class": "flow", "role": "img", "aria-label": label, "width": "100%",
          "height": String(height),
        ]
      ) { page in
        page.element(
          "svg",
          [
            "x": "36%", "width": "28%", "height": String(height),
            "viewBox": "0 0 100 \(height)", "preserveAspectRatio": "none",
          ]
        ) { page in
          for pair in shown {
            guard let start = from.firstIndex(where: { $0.path == pair.from }),
              let end = to.firstIndex(where: { $0.path == pair.to })
            else { continue }
            let width = Self.tenths(pair.visits, of: total)
            band(pair, from: from[start].next, to: to[end].next, width: width, to: &page)
            from[start].next += width
            to[end].next += width
          }
        }
        for node in from { writeLabel(node, isStart: true, of: total, to: &page) }
        for node in to { writeLabel(node, isStart: false, of: total, to: &page) }
      }
    }
  }

  /// The pages of one side below each other, the heaviest first.
  private static func nodes(
    _ pairs: [PagePair], _ path: KeyPath<PagePair, String>, of total: Int
  ) -> [Node] {
    var nodes = pairs.grouped { $0[keyPath: path] }.map { path, pairs in
      Node(path: path, visits: pairs.reduce(0) { $0 + $1.visits })
    }
    nodes.sort { $0.visits != $1.visits ? $0.visits > $1.visits : $0.path < $1.path }
    var top = 0
    for index in nodes.indices {
      let (place, bands) = (height(nodes[index], of: total), tenths(nodes[index].visits, of: total))
      nodes[index].top = top
      nodes[index].next = top + (place - bands) / 2
      top += place + gap * 10
    }
    return nodes
  }

  /// The height of the place of a page, in tenths of a pixel.
  private static func height(_ node: Node, of total: Int) -> Int {
    max(labelHeight * 10, tenths(node.visits, of: total))
  }

  private static func height(_ nodes: [Node], of total: Int) -> Int {
    nodes.last.map { ($0.top + height($0, of: total) + 9) / 10 } ?? 0
  }

  /// The height of some visits, in tenths of a pixel; at least one pixel.
  private static func tenths(_ visits: Int, of total: Int) -> Int {
    let (high, low) = visits.multipliedFullWidth(by: scale * 10)
    return max(10, total.dividingFullWidth((high, low)).quotient)
  }

  private func band(
    _ pair: PagePair, from start: Int, to end: Int, width: Int, to page: inout HTMLWriter
  ) {
    func text(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
    let shape =
      "M0 \(text(start))C50 \(text(start)) 50 \(text(end)) 100 \(text(end))V\(text(end + width))"
      + "C50 \(text(end + width)) 50 \(text(start + width)) 0 \(text(start + width))Z"
    page.trusted("\n")
    page.element("path", ["d": shape]) { page in
      page.element(
        "title",
        "\(ShownText(path: pair.from).text) to \(ShownText(path: pair.to).text): \(pair.visits.counted("visit"))"
      )
    }
  }

  private func writeLabel(_ node: Node, isStart: Bool, of total: Int, to page: inout HTMLWriter) {
    let y = (node.top + (Self.height(node, of: total) - Self.labelHeight * 10) / 2) / 10
    page.element(
      "foreignObject",
      [
        "x": isStart ? "0" : "65%", "y": String(y), "width": "35%",
        "height": String(Self.labelHeight),
      ]
    ) { page in
      let shown = ShownText(path: node.path)
      page.element("div", ["class": isStart ? "from" : "to", "title": shown.text], shown.text)
    }
  }
}
