// A table of things: a row for each. Which column is which field is said by the options, or guessed by the names of the columns.
import { sha256 } from '../../runtime/hash.ts'
import { quote } from '../format-error.ts'
import { momentOf, nameOf, type RawRecord } from './cleaning.ts'
import { csvRecords, type Row } from './csv-records.ts'
import { kindOfLabels, severityOfWords, stateOfWords } from './kinds.ts'
import { type ReadSource, SourceError, type SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'

export const read: ReadSource = (files, options) => take(files, new TableReading(options, GUESSES))

/** The fields that a column can be, and the names of columns that are taken for them, the best first. */
const GUESSES = {
  id: ['id', 'issue id', 'key', 'issue key', 'ticket id', 'ticket', 'post id', 'suggestion id', 'idea id'],
  number: ['number', 'no', 'nr', 'iid', 'issue number', '#'],
  kind: ['kind', 'type', 'issue type', 'tracker', 'kategorie', 'category'],
  title: ['title', 'summary', 'subject', 'headline', 'name', 'idea', 'titel', 'betreff'],
  text: [
    'text',
    'description',
    'body',
    'details',
    'content',
    'message',
    'steps to reproduce',
    'beschreibung',
    'inhalt',
  ],
  state: ['state', 'status', 'resolution', 'stage', 'zustand'],
  severity: ['severity', 'priority', 'importance', 'impact', 'schweregrad', 'priorität'],
  labels: ['labels', 'tags', 'label', 'tag', 'keywords', 'components', 'component', 'schlagwörter'],
  author: [
    'author',
    'reporter',
    'creator',
    'created by',
    'author name',
    'creator name',
    'submitter',
    'user',
    'username',
    'autor',
    'ersteller',
  ],
  email: ['email', 'author email', 'creator email', 'reporter email', 'e mail', 'user email'],
  createdAt: [
    'created at',
    'created',
    'date created',
    'creation date',
    'created on',
    'date',
    'opened',
    'submitted',
    'timestamp',
    'erstellt',
    'datum',
  ],
  updatedAt: [
    'updated at',
    'updated',
    'last updated',
    'last modified',
    'modified',
    'changed',
    'aktualisiert',
    'geändert',
  ],
  url: ['url', 'link', 'permalink', 'address', 'web url'],
  votes: ['votes', 'vote count', 'votes count', 'score', 'upvotes', 'supporters', 'points', 'stimmen'],
} satisfies Record<string, readonly string[]>
export type TableField = keyof typeof GUESSES
export type TableGuesses = Readonly<Partial<Record<TableField, readonly string[]>>>
const FIELDS = Object.keys(GUESSES) as TableField[]

/** The column of each field, by its position; for a page or a command to show before an import too. */
export function columnsOf(
  columns: readonly string[],
  given: SourceOptions['columns'],
  guesses: TableGuesses = GUESSES,
): Map<TableField, number> {
  const found = new Map<TableField, number>()
  for (const [field, column] of Object.entries(given ?? {})) {
    const known = FIELDS.find((one) => one === field)
    if (!known) throw new SourceError(`columns: ${quote(field)} is no field; there are ${FIELDS.join(', ')}`)
    const position = columns.indexOf(column)
    if (position < 0)
      throw new SourceError(`columns: there is no column ${quote(column)}; there are ${quote(columns.join(', '))}`)
    found.set(known, position)
  }
  const plain = columns.map((column) =>
    column
      .slice(0, 100)
      .toLowerCase()
      .replaceAll(/[\s_.-]+/g, ' ')
      .trim(),
  )
  for (const field of FIELDS) {
    if (found.has(field)) continue
    const taken = new Set(found.values())
    const position = (guesses[field] ?? []).map((name) => plain.indexOf(name)).find((at) => at >= 0 && !taken.has(at))
    if (position !== undefined) found.set(field, position)
  }
  return found
}

export class TableReading implements SourceReading {
  readonly what = 'a table in CSV with a column of titles'
  readonly recordsOf = csvRecords
  readonly #options: SourceOptions
  readonly #guesses: TableGuesses
  /** How often equal rows without an id came. */
  readonly #times = new Map<string, number>()
  /** By the row of the columns, which all rows of a file share. */
  readonly #columns = new WeakMap<readonly string[], Map<TableField, number>>()

  constructor(options: SourceOptions, guesses: TableGuesses) {
    this.#options = options
    this.#guesses = guesses
  }

  find(value: unknown): Iterable<RawRecord> | undefined {
    const row = value as Row
    let fields = this.#columns.get(row.columns)
    if (!fields) {
      fields = columnsOf(row.columns, this.#options.columns, this.#guesses)
      this.#columns.set(row.columns, fields)
    }
    if (!fields.has('title')) return undefined
    return row.number === 0 ? [] : this.#row(row, fields)
  }

  /** Of a row without one: of what it says, so that it is the same where rows come before it. Equal rows are counted. */
  #idOf(said: readonly string[]): string {
    const hash = sha256(JSON.stringify(said))
    const times = (this.#times.get(hash) ?? 0) + 1
    this.#times.set(hash, times)
    return times === 1 ? `row ${hash}` : `row ${hash} ${times}`
  }

  *#row(row: Row, fields: Map<TableField, number>): Iterable<RawRecord> {
    if (row.cells.length === 0) return yield { type: 'left out', what: 'rows with more or fewer cells than columns' }
    const cell = (field: TableField) => row.cells[fields.get(field) ?? -1]?.trim() ?? ''
    const [title, text] = [cell('title'), cell('text')]
    if (title === '' && text === '') return yield { type: 'left out', what: 'rows without a title and a text' }
    const author = personOf(cell('author'), cell('email'))
    if (author) yield author
    const number = Number(/^#?(\d{1,10})$/.exec(cell('number') || cell('id'))?.[1]) || undefined
    const labels = cell('labels').split(/[,;|\n]/)
    yield {
      type: 'thing',
      id: cell('id') || cell('number') || this.#idOf([title, text, cell('author'), cell('createdAt')]),
      kind: this.#kindOf(cell('kind'), labels),
      number,
      url: cell('url') || undefined,
      author: author?.id,
      title,
      text,
      state: stateOfWords(cell('state')),
      stateWords: cell('state'),
      severity: severityOfWords(cell('severity')),
      labels,
      createdAt: cell('createdAt') === '' ? this.#options.now : momentOf(cell('createdAt')),
      updatedAt: cell('updatedAt'),
    }
    const votes = Number(cell('votes'))
    if (Number.isSafeInteger(votes) && votes > 0) {
      yield { type: 'left out', what: 'votes whose voters are not in the files', count: votes }
    }
    yield* unused(row, fields)
  }

  #kindOf(kind: string, labels: readonly string[]): 'bug' | 'feature' | 'post' {
    if (/^(?:post|question|discussion|topic|frage)$/i.test(kind)) return 'post'
    return kindOfLabels([kind, ...labels]) ?? this.#options.kind ?? 'bug'
  }
}

function* unused(row: Row, fields: Map<TableField, number>): Iterable<RawRecord> {
  const used = new Set(fields.values())
  for (const [position, column] of row.columns.entries()) {
    if (used.has(position) || row.cells[position]?.trim() === '') continue
    yield { type: 'left out', what: `cells of the column ${quote(column)}, which is no field` }
  }
}

/** One address is one person. */
function personOf(name: string, email: string): Extract<RawRecord, { type: 'person' }> | undefined {
  const username = nameOf(name) ?? nameOf(email.replace(/@.*$/, ''))
  if (username === undefined) return undefined
  return { type: 'person', id: nameOf(email.toLowerCase()) ?? username, username, email: email || undefined }
}
