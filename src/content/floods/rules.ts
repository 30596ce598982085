// When two reports say the same. Strict: a word, a name or a number more in one of them, and each stays by itself. Pure.
import { stemOf } from '../../search/stem.ts'
import { wordsIn } from '../../search/words.ts'

/** What is compared of a report. */
export interface Report {
  title: string
  text: string
}

/** One of fewer different words says too little to be the same as another one. */
const LEAST_WORDS = 6

/** Where code is kept on a machine. */
const CODE = '(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc|cpp|c|h|swift|svelte|vue)'

/** What differs each time the same thing happens. No number that may tell two faults apart: a status, a port, a limit, a version, a code of an error. */
const NOISE: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
  /\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /\b0x(?:[0-7][\da-f]{7}|[\da-f]{9,16})\b/gi,
  /\b(?=[a-f]*\d)[\da-f]{16,}\b/gi,
  /\b(?:pid|tid)[ =:#]+\d+\b/gi,
  /\b(?:trace|session|request|req|correlation)[ _-]?id[ =:#]+(?=[\w-]*\d)[\w-]+/gi,
  /\b(?:took|elapsed)[ =:]+\d+(?:\.\d+)? ?(?:ms|milliseconds?|s|sec|seconds?)\b/gi,
  new RegExp(`(?<=\\.${CODE}):\\d+(?::\\d+)?`, 'gi'),
]
/** Folders that differ from machine to machine; the file in them does not. Those of an address or of a project may tell. */
const FOLDERS =
  /(?<![\w.:/\\-])(?:[A-Za-z]:[\\/]|[\\/](?=(?:home|Users|root|tmp|private|srv|opt|app|workspace|builds?)[\\/]))(?:[\w.@~-]+[\\/])+(?=[\w.@~-]+\.\w)/g

/** Words that say nothing about what is wrong. */
const FILLERS = new Set(
  `a again also an and are as be been bug bugs got has have hello hey hi i is issue it its me my once more our please problem really
  report reported same saw see seeing seen so still that the their there these this today was we were yesterday`
    .split(/\s+/)
    .map(stemOf),
)

/** Words for one another in reports, by the word that replaces them. */
const SAME: ReadonlyMap<string, string> = new Map(
  [
    'crash crashes crashed',
    'error errors',
    'press click tap hit',
    'app application',
    'stop halt',
    'while during when whenever',
    'shows displays prints',
  ].flatMap((words) => {
    const [first = '', ...others] = words.split(' ').map(stemOf)
    return [first, ...others].map((word) => [word, first] as const)
  }),
)

const LINES = /\n+|(?<=[.!?;])\s+/

/** The telling words of each sentence, in their order. */
function sentencesOf(text: string): string[][] {
  const plain = [...NOISE, FOLDERS].reduce((rest, noise) => rest.replace(noise, ' '), text)
  return plain
    .split(LINES)
    .map(tellingIn)
    .filter((words) => words.length > 0)
}

const tellingIn = (line: string): string[] =>
  [...wordsIn(line)]
    .map(({ whole }) => stemOf(whole))
    .filter((stem) => !FILLERS.has(stem))
    .map((stem) => SAME.get(stem) ?? stem)

/** The words of a report that tell: of its title, and of each of its sentences. */
interface Wording {
  title: string
  sentences: Set<string>
}

export const saidIn = ({ title, text }: Report): Wording => ({
  title: sentencesOf(title).flat().join(' '),
  sentences: new Set(sentencesOf(text).map((words) => words.join(' '))),
})

/**
 * Whether two reports say the same: the same title and the same sentences, in any order, each with the same words in the same order.
 * What differs each time (moments, ids, folders, places in a file) is left out, and so are words that say nothing about what is wrong.
 */
export const saysTheSame = (one: Report, other: Report): boolean => isTheSame(saidIn(one), saidIn(other))

/** The same of what two reports say. */
export function isTheSame(one: Wording, other: Wording): boolean {
  if (one.title === '' || one.title !== other.title || one.sentences.size !== other.sentences.size) return false
  const words = [one.title, ...one.sentences].flatMap((said) => said.split(' '))
  return new Set(words).size >= LEAST_WORDS && [...one.sentences].every((sentence) => other.sentences.has(sentence))
}

interface Severity {
  number: number
  /** How bad it is: the greater, the worse. */
  weight: number
}

/** Whether a report may go into another one: that is older, and says that it is as bad at least. */
export const mayGoInto = (report: Severity, older: Severity): boolean =>
  older.number < report.number && older.weight >= report.weight
