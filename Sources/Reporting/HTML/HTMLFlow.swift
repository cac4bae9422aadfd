internal import LinkAuditing

/// The heaviest ways from page to page of the same host, as bands whose width is their visits.
struct HTMLFlow {
  let pairs: [PagePair]
  let page: HTMLWriter

  /// The number of pairs that readers can distinguish.
  private static let limit = 10

  /// The height of all bands together, in pixels.
  private static let scale = 200

  /// The height of a label, and the gap below it.
  private static let (labelHeight, gap) = (22, 6)

  /// A page, with its place and the start of the next band in tenths of a pixel.
  private struct Node {
    let path: String
    let top: Int
    let height: Int
    var next: Int
  }

  func write() {
    let shown = Array(pairs.prefix(Self.limit))
    let total = shown.reduce(0) { $0 + $1.visits }
    guard let first = shown.first, total > 0 else { return }
    var from = Self.nodes(shown, \.from, of: total)
    var to = Self.nodes(shown, \.to, of: total)
    let height = [from, to].compactMap(\.last).map { ($0.top + $0.height + 9) / 10 }.max() ?? 0
    let label =
      "The \(shown.count.counted("heaviest link")) between pages of the same host; the heaviest has "
      + "\(first.visits.counted("visit")). The table below has the figures."
    page.block("figure") {
      page.element(
        "svg",
        [
          "class": "flow", "role": "img", "aria-label": label, "width": "100%",
          "height": String(height),
        ]
      ) {
        page.element(
          "svg",
          [
            "x": "36%", "width": "28%", "height": String(height),
            "viewBox": "0 0 100 \(height)", "preserveAspectRatio": "none",
          ]
        ) {
          for pair in shown {
            guard let start = from.firstIndex(where: { $0.path == pair.from }),
              let end = to.firstIndex(where: { $0.path == pair.to })
            else { continue }
            let width = Self.tenths(pair.visits, of: total)
            band(pair, from: from[start].next, to: to[end].next, width: width)
            from[start].next += width
            to[end].next += width
          }
        }
        for node in from { writeLabel(node, isStart: true) }
        for node in to { writeLabel(node, isStart: false) }
      }
    }
  }

  /// The pages of one side below each other, the heaviest first.
  private static func nodes(
    _ pairs: [PagePair], _ path: KeyPath<PagePair, String>, of total: Int
  ) -> [Node] {
    let pages = pairs.grouped { $0[keyPath: path] }.map { path, pairs in
      (path: path, visits: pairs.reduce(0) { $0 + $1.visits })
    }
    var top = 0
    return pages.sorted {
      $0.visits != $1.visits ? $0.visits > $1.visits : $0.path < $1.path
    }.map { path, visits in
      let bands = tenths(visits, of: total)
      let height = max(labelHeight * 10, bands)
      defer { top += height + gap * 10 }
      return Node(path: path, top: top, height: height, next: top + (height - bands) / 2)
    }
  }

  /// The height of some visits, in tenths of a pixel; at least one pixel.
  private static func tenths(_ visits: Int, of total: Int) -> Int {
    let (high, low) = visits.multipliedFullWidth(by: scale * 10)
    return max(10, total.dividingFullWidth((high, low)).quotient)
  }

  private func band(_ pair: PagePair, from start: Int, to end: Int, width: Int) {
    let (top, bottom) = (start.tenths, (start + width).tenths)
    let (endTop, endBottom) = (end.tenths, (end + width).tenths)
    let shape =
      "M0 \(top)C50 \(top) 50 \(endTop) 100 \(endTop)V\(endBottom)"
      + "C50 \(endBottom) 50 \(bottom) 0 \(bottom)Z"
    page.trusted("\n")
    page.element("path", ["d": shape]) {
      page.element(
        "title",
        "\(ShownText(path: pair.from).text) to \(ShownText(path: pair.to).text): \(pair.visits.counted("visit"))"
      )
    }
  }

  private func writeLabel(_ node: Node, isStart: Bool) {
    let y = (node.top + (node.height - Self.labelHeight * 10) / 2) / 10
    page.element(
      "foreignObject",
      [
        "x": isStart ? "0" : "65%", "y": String(y), "width": "35%",
        "height": String(Self.labelHeight),
      ]
    ) {
      let shown = ShownText(path: node.path)
      page.element("div", ["class": isStart ? "from" : "to", "title": shown.text], shown.text)
    }
  }
}
