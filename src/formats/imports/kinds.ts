// What the words of other trackers mean here: whether a label says that something is a bug or a feature, and how far a status says that it has got.
import type { ImportedState } from './record.ts'

const BUG = /^(?:(?:type|kind|issue type|category|t|c)\s*[:/=-]+\s*)?(?:bugs?|bug report|defects?|regressions?|crash)$/i
const FEATURE =
  /^(?:(?:type|kind|issue type|category|t|c)\s*[:/=-]+\s*)?(?:features?|enhancements?|improvements?|ideas?|suggestions?|(?:feature|enhancement)[ -_]requests?|new feature)$/i

/** By the first label that says it; undefined where none does. */
export function kindOfLabels(labels: readonly unknown[]): 'bug' | 'feature' | undefined {
  for (const label of labels) {
    if (typeof label !== 'string' || label.length > 100) continue
    const word = label.trim()
    if (BUG.test(word)) return 'bug'
    if (FEATURE.test(word)) return 'feature'
  }
  return undefined
}

const DECLINES =
  /^(?:(?:status|resolution|close reason)\s*[:/=-]+\s*)?(?:wont ?fix|won't ?fix|duplicate|invalid|not planned|declined|rejected|out of scope)$/i

/** Whether a label says that what is closed was declined. */
export const declinesByLabels = (labels: readonly unknown[]): boolean =>
  labels.some((label) => typeof label === 'string' && label.length <= 100 && DECLINES.test(label.trim()))

const STATES: [state: ImportedState, words: RegExp][] = [
  ['open', /\b(?:reopened|not started)\b/],
  [
    'declined',
    /declin|reject|won.?t|wont|not[ _-]?planned|not[ _-]?going|duplicate|invalid|outdated|cannot reproduce|cancel|archived|by design|spam/,
  ],
  ['done', /\b(?:done|completed?|resolved|fixed|released|shipped|implemented|live|launched|closed|delivered)\b/],
  ['in_progress', /progress|start|\b(?:doing|develop\w*|testing|beta|active|building|wip)\b/],
  ['planned', /\b(?:planned|accepted|approved|scheduled|roadmap|backlog|next|up ?coming)\b/],
]

/** What a status of any tracker says; open where the word is unknown. */
export function stateOfWords(words: unknown): ImportedState {
  if (typeof words !== 'string') return 'open'
  const status = words.slice(0, 200).toLowerCase().replaceAll('_', ' ')
  return STATES.find(([, pattern]) => pattern.test(status))?.[0] ?? 'open'
}

const SEVERITIES = [
  ['critical', /\b(?:critical|blocker|blocking|urgent|highest|p0|s0|kritisch)\b/],
  ['high', /\b(?:high|major|important|p1|s1|hoch)\b/],
  ['medium', /\b(?:medium|normal|moderate|p2|s2|mittel)\b/],
  ['low', /\b(?:low|lowest|minor|trivial|cosmetic|p3|p4|s3|s4|niedrig)\b/],
] as const

/** What a severity or a priority of any tracker says; undefined where the word is unknown. */
export function severityOfWords(words: string): 'low' | 'medium' | 'high' | 'critical' | undefined {
  const word = words.slice(0, 100).toLowerCase()
  return SEVERITIES.find(([, pattern]) => pattern.test(word))?.[0]
}
