// What a scan says of a file: findings with a severity each, and the verdict that follows from them. Pure.

/** In rising order. */
export const severities = ['note', 'suspicious', 'severe'] as const
export type Severity = (typeof severities)[number]

export const scanRules = [
  'secret',
  'hidden-text',
  'hidden-comment',
  'agent-instruction',
  'fetch-and-run',
  'encoded-code',
  'look-alike',
  'not-read',
] as const
export type ScanRule = (typeof scanRules)[number]

export interface Finding {
  rule: ScanRule
  severity: Severity
  /** The file within a package; the file itself otherwise. */
  path: string
  /** From 1; null where it is about the whole file. */
  line: number | null
  /** A sentence part, without the secret itself. */
  reason: string
}

export const verdicts = ['clean', 'notes', 'suspicious', 'severe', 'unfinished', 'unscanned'] as const
export type Verdict = (typeof verdicts)[number]

/** So many are kept of one file. */
export const MAX_FINDINGS = 100
/** So many of one rule and severity in one file of a package: many notes do not crowd out what is serious. */
const MAX_OF_ONE_RULE = 20

/** @param findings null where the scan could not finish */
export function verdictOf(findings: readonly Finding[] | null): Verdict {
  if (findings === null) return 'unfinished'
  const worst = Math.max(-1, ...findings.map(({ severity }) => severities.indexOf(severity)))
  return (['clean', 'notes', 'suspicious', 'severe'] as const)[worst + 1] ?? 'severe'
}

/** Whether a verdict is as bad as `least` or worse; what could not be scanned is. */
export const isAtLeast = (verdict: Verdict, least: 'suspicious' | 'severe'): boolean =>
  verdict === 'unfinished' || verdict === 'severe' || (least === 'suspicious' && verdict === 'suspicious')

/** Whether findings are as bad as `least` or worse, or what was not read may be. */
export const mayBeAsBad = (findings: readonly Finding[] | null, least: 'suspicious' | 'severe'): boolean =>
  isAtLeast(verdictOf(findings), least) || (findings ?? []).some(({ rule }) => rule === 'not-read')

/** Collects findings up to the bounds. */
export class Findings {
  readonly #list: Finding[] = []
  readonly #counts = new Map<string, number>()

  add(finding: Finding): void {
    const key = `${finding.rule} ${finding.severity} ${finding.path}`
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    if (count <= MAX_OF_ONE_RULE) this.#list.push(finding)
  }

  /** The worst first, as they stand in the files otherwise. */
  get list(): Finding[] {
    const rank = ({ severity }: Finding) => -severities.indexOf(severity)
    return this.#list.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_FINDINGS)
  }
}
