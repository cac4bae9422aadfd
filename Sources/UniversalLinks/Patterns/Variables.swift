internal import Foundations

/// The variables that patterns of one association file may use: its own, then the built-in ones
/// (Matching.md, 3c.2).
///
/// It is a class, so that all patterns share the values of a variable.
package final class Variables {
  private struct Use: Hashable {
    var name: [UInt8]
    var folds: Bool

    /// The byte after the variable if it affects the values, else `nil`.
    var follower: UInt8?
  }

  /// The values by the bytes of the name: strings are equal if they differ in Unicode normalization
  /// only.
  private let own: [[UInt8]: [String]]
  private var known: [Use: VariableValues?] = [:]

  /// The variables of another file, with which these share the values of equal variables.
  private let other: Variables?

  init(_ variables: [SubstitutionVariable], sharing other: Variables? = nil) {
    own = Dictionary(variables.map { (Array($0.name.utf8), $0.values) }) { _, last in last }
    self.other = other
  }

  /// The variables of a file, or `nil` for systems that know none.
  convenience init?(_ file: AssociationFile, sharing other: Variables? = nil) {
    guard file.system == .current else { return nil }
    self.init(file.substitutionVariables, sharing: other)
  }

  func values(of name: String, folds: Bool, before next: UInt8?) -> VariableValues? {
    let follower = next.flatMap { "(*".utf8.contains($0) ? $0 : nil }
    let use = Use(name: Array(name.utf8), folds: folds, follower: follower)
    if let values = known[use] { return values }
    func bytes(_ variables: Variables) -> [[UInt8]]? {
      variables.own[use.name]?.map { Array($0.utf8) }
    }
    let values =
      if let other, bytes(other) == bytes(self) {
        other.values(of: name, folds: folds, before: next)
      } else {
        values(for: use)
      }
    known[use] = .some(values)
    return values
  }

  private func values(for use: Use) -> VariableValues? {
    var values = (own[use.name] ?? Self.builtIn[String(decoding: use.name, as: UTF8.self)] ?? [])
      .map { Array($0.utf8) }
    switch use.follower {
    // Before '(', a '$' at the end of a value would begin a new variable: such values are skipped
    // (Matching.md, 3c.6).
    case UInt8(ascii: "("): values.removeAll { $0.last == UInt8(ascii: "$") }
    // A '*' merges with stars at the end of a value.
    case UInt8(ascii: "*"):
      values = values.map { value in
        Array(value[..<((value.lastIndex { $0 != UInt8(ascii: "*") } ?? -1) + 1)])
      }
    default: break
    }
    guard !values.isEmpty else { return nil }
    return VariableValues(
      values.map {
        // Without variables to look up, every pattern can be read.
        PatternToken.tokens(of: $0, variables: nil, folds: use.folds) ?? []
      }, ignoresCase: use.folds)
  }

  /// The names of the built-in variables, those of characters first.
  static let builtInNames = [
    "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
  ]

  /// The values by name; no other name is equal to one of only small letters.
  private static let builtIn: [String: [String]] = {
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
    let lower = upper.map { $0.lowercased() }
    let digits = "0123456789".map { String($0) }
    return [
      "alpha": upper + lower, "upper": upper, "lower": lower, "alnum": upper + lower + digits,
      "digit": digits, "xdigit": digits + upper[..<6] + lower[..<6],
      "region": regions + regions.map { $0.lowercased() },
      "lang": languages + languages.map { $0.uppercased() },
    ]
  }()
}

/// The values of a variable, each with the wildcards that it holds, but without variables.
///
/// It is a class, so that all patterns with the variable share it: a file can have thousands of
/// both.
package final class VariableValues: Sendable {
  /// The values, ascending and without repetitions if none of them has wildcards.
  package let values: [[PatternToken]]

  /// The values as texts, or `nil` if some of them have wildcards.
  let texts: [[UInt8]]?

  /// A Boolean value indicating whether letter case is ignored, so that the values are folded.
  let ignoresCase: Bool

  /// About the greatest number of positions that they need in a program.
  let positionCount: Int

  init(_ values: [[PatternToken]], ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    let texts = values.compactMap { value -> [UInt8]? in
      switch (value.count, value.first) {
      case (0, _): []
      case (1, .literal(let bytes)): bytes
      default: nil
      }
    }
    guard texts.count == values.count else {
      (self.texts, self.values) = (nil, values)
      positionCount = values.reduce(1) {
        $0 + PatternProgramBuilder.positionCount(of: $1, ignoresCase: ignoresCase)
      }
      return
    }
    let unique = Set(texts).sorted { $0.lexicographicallyPrecedes($1) }
    self.texts = unique
    self.values = unique.map { $0.isEmpty ? [] : [.literal($0)] }
    // Values share the positions of their common beginnings.
    positionCount = zip(unique, [[]] + unique).reduce(2) { count, texts in
      let rest = texts.0.dropFirst(zip(texts.0, texts.1).prefix { $0 == $1 }.count)
      return count + 2 * rest.count
        + (ignoresCase ? PatternProgramBuilder.spellingCost(of: rest) : 0)
    }
  }
}

extension VariableValues: Hashable {
  /// Returns a Boolean value indicating whether both are the same object.
  ///
  /// Hostile files have thousands of variables, each with as many values.
  package static func == (first: VariableValues, second: VariableValues) -> Bool {
    first === second
  }

  /// Feeds the identity into a hasher.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension [[UInt8]] {
  /// Calls `body` with the end of each text that occurs at `start` of another one, shortest first.
  ///
  /// The texts are ascending, so those that begin with the bytes read so far follow one another.
  func forEachEnd(in text: Span<UInt8>, from start: Int, _ body: (Int) -> Void) {
    var (range, position) = (indices, start)
    while let first = range.first {
      let depth = position - start
      if self[first].count == depth {
        body(position)
        range = (first + 1)..<range.upperBound
      }
      guard position < text.count else { return }
      let byte = text[position]
      let lower = range.partitioningIndex { self[$0][depth] >= byte }
      range = lower..<(lower..<range.upperBound).partitioningIndex { self[$0][depth] > byte }
      position += 1
    }
  }
}

// The codes of the variables `region` and `lang` (Matching.md, 3c.5). The lists are those of the
// system and grow with it; these are of 2026.
extension Variables {
  /// The regions of ISO 3166-1 as the system lists them, in upper case.
  private static let regions = codes(
    """
    AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO
    BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CP CQ CR CU CV CW CX CY CZ DE
    DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM
    GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
    KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
    ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE
    PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM
    SN SO SR SS ST SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US
    UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
    """)

  /// The languages of ISO 639 as the system lists them, in lower case.
  private static let languages = codes(
    """
    aa ab ace acf ach ada ady ae aeb af afh agq ain ak akk akz ale aln alt am an ang anp apw
    ar arc arn aro arp arq ars arw ary arz as asa ase ast av avk awa ay az ba bal ban bar bas
    bax bbc bbj be bej bem ber bew bez bfd bfq bg bgc bgn bho bi bik bin bjn bkm bla blo bm bn
    bo bpy bqi br bra brh brx bs bss bua bug bum byn byv ca cad car cay cch ccp ce ceb cgg ch
    chb chg chk chm chn cho chp chr chy cic ckb co com cop cps cr crh crj crk crl crm cs csb
    cst csw cu cv cwd cy da dak dar dav de del den dgr din dje doi dsb dtp dua dum dv dyo dyu
    dz dzg ebu ee efi egl egy eka el elx en enm eo es esu et eu ewo ext fa fan fat ff fi fil
    fit fj fla fo fon fr frc frm fro frp frr frs fur fy ga gaa gag gan gay gba gbz gcf gd gez
    gil gl glk gmh gn goh gom gon gor got grb grc gsw gu guc gur guz gv gwi ha hai hak haw hch
    he hi hif hil hit hmn ho hr hsb hsn ht hu hup hy hz ia iba ibb id ie ig ii ik ilo inh io
    is isc it iu izh ja jam jbo jgo jmc jpr jrb jut jv ka kaa kab kac kaj kam kaw kbd kbl kcg
    kde kea ken kfo kg kgp kha kho khq khw ki kio kiu kj kk kkj kl kln km kmb kn ko koi kok
    kos kpe kr krc kri krj krl kru ks ksb ksf ksh ku kum kut kv kw kxv ky la lad lag lah lam
    lb lez lfn lg li lij liv lkt lmo ln lo lol loz lrc lt ltg lu lua lui lun luo lus lut luy
    lv lzh lzz mad maf mag mai mak man mas mde mdf mdh mdr men mer mfe mg mga mgh mgo mh mi
    mic mid min mis mk ml mn mnc mni moh mos mr mrj ms mt mua mul mus mwl mwr mwv my mye myv
    mzn na nan nap naq nb nd nds ne new nez ng nia niu njo nl nmg nn nnh nnp no nog non nov
    nqo nr nso nus nv nwc ny nym nyn nyo nzi oc oj om or os osa ota otk oui pa pag pal pam pap
    pau pcd pcm pdc pdt peo pfl phn pi pl pms pnt pon pqm prg pro ps pt qu quc qug raj rap rar
    rej rgn rhg rif rm rn ro rof rom rtm ru rue rug rup rw rwk sa sad sah sam saq sas sat saz
    sba sbp sc scn sco sd sdc sdh se see seh sei sel ses sg sga sgs shi shn shp shu si sid sjd
    sje sju sk sl sli sly sm sma smj smn sms sn snk so sog sq sr srn srr srs ss ssy st stq su
    suk sus sux sv sw swb syc syr szl ta tcy te tem teo ter tet tg th ti tig tiv tk tkl tkr
    tlh tli tly tmh tn to tog tok tpi tr tru trv ts tsd tsi tt ttt tum tvl tw twq ty tyv tzm
    udm ug uga uk umb und ur uz vai ve vec vep vi vls vmf vmw vo vot vro vun wa wae wal war
    was wbp wo wuu xal xh xmf xnr xog yao yap yav ybb yi yo yrl yue za zap zbl zea zen zgh zh
    zu zun zxx zza
    """)

  private static func codes(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }
}
