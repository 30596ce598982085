// The table of budgets in docs/settings.md: the defaults, in the syntax of BUDGETS.
import { keysOf } from '../contract/records.ts'
import { type Budgets, DAY, defaultBudgets, type Rate, windowWord, wordsOf } from './rules.ts'

type Name = Exclude<keyof Budgets, 'youngSeconds'>

const MEGABYTE = 1024 ** 2

/** What a budget counts; `wordsOf` has the others. */
const counts: Readonly<Record<Exclude<Name, keyof typeof wordsOf>, string>> = {
  bytes: 'bytes of stored files, in all',
  newcomers: 'bytes stored by all accounts without a verified email',
  staged: 'bytes of uploads that are being read, in a process',
  work: 'seconds of CPU time of threads that read and scan files',
}

/** What the figures of a budget are for; `mails` has an address of its own. */
const columnWords: Readonly<Record<string, string>> = {
  verified: 'email verified',
  unverified: 'not verified',
  network: 'by network',
  subnet: 'by IPv6 /64',
  address: 'by IPv4 address',
  all: 'in all',
}

const wordOf = (name: Name, column: string) =>
  name === 'mails' && column === 'address' ? 'to one address' : columnWords[column]

const sizeOf = (bytes: number) =>
  bytes % (1024 * MEGABYTE) === 0 ? `${bytes / (1024 * MEGABYTE)}GB` : `${bytes / MEGABYTE}MB`

const figureOf = (figure: number | readonly Rate[]) =>
  typeof figure === 'number'
    ? sizeOf(figure)
    : figure.map(({ count, windowSeconds }) => `${count}/${windowWord(windowSeconds)}`).join(' ') || 'off'

const nameOf = (budget: keyof Budgets): budget is Name => budget !== 'youngSeconds'

/** The defaults as a value of BUDGETS, part by part. */
export const defaultParts = (): string[] => [
  ...keysOf(defaultBudgets)
    .filter(nameOf)
    .map((name) => `${name}: ${Object.values(defaultBudgets[name]).map(figureOf).join(', ')}`),
  `young: ${defaultBudgets.youngSeconds / DAY} days`,
]

function rowOf(name: Name): string {
  const what = name in wordsOf ? wordsOf[name as keyof typeof wordsOf] : counts[name as keyof typeof counts]
  const columns = Object.entries(defaultBudgets[name] as Record<string, number | Rate[]>)
  const words = columns.map(([column]) => wordOf(name, column)).join(', ')
  return `| \`${name}\` | ${what} | ${words} | \`${columns.map(([, figure]) => figureOf(figure)).join(', ')}\` |`
}

/** Every budget with its default, as rows of Markdown. */
export const budgetTable = (): string[] => [
  '| budget | of | columns | default |',
  '| --- | --- | --- | --- |',
  ...keysOf(defaultBudgets).filter(nameOf).map(rowOf),
  `| \`young\` | how long an account counts as not verified | | \`${defaultBudgets.youngSeconds / DAY} days\` |`,
]
