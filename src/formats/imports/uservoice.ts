// UserVoice: answers of its Admin API (developer.uservoice.com, version 2): pages of suggestions with what is beside them (users, statuses, categories,
// labels, comments, supporters, status updates), and exports of suggestions in CSV, whose columns are named like `suggestion.title`.
import type { RawRecord } from './cleaning.ts'
import { type TableGuesses, TableReading } from './csv.ts'
import { csvRecords } from './csv-records.ts'
import { at, countAt, has, idOf, listOf, oneOf, textAt, wordAt } from './fields.ts'
import { markdownOf } from './html.ts'
import { jsonRecords } from './json-records.ts'
import { kindOfLabels, stateOfWords } from './kinds.ts'
import type { ReadSource, SourceFile, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new UserVoiceReading(options))

/** Columns of exports since 2017, and of those before. */
const COLUMNS: TableGuesses = {
  id: ['suggestion id', 'idea id', 'id'],
  title: ['suggestion title', 'idea title', 'title', 'suggestion'],
  text: ['suggestion body', 'idea body', 'body', 'description', 'text'],
  state: ['suggestion status name', 'suggestion status', 'status', 'state'],
  labels: ['suggestion labels name', 'suggestion labels', 'suggestion category name', 'labels', 'category'],
  author: [
    'suggestion created by name',
    'suggestion creator name',
    'user name',
    'created by',
    'creator name',
    'creator',
  ],
  email: [
    'suggestion created by email address',
    'suggestion creator email',
    'user email address',
    'creator email',
    'email',
  ],
  createdAt: ['suggestion created timestamp', 'suggestion created at', 'created at', 'created', 'date'],
  updatedAt: ['suggestion updated timestamp', 'suggestion updated at', 'updated at', 'updated'],
  url: ['suggestion portal url', 'portal url', 'url', 'link'],
  votes: [
    'suggestion votes count',
    'suggestion supporters count',
    'votes count',
    'votes',
    'supporters',
    'supporters count',
  ],
}
/** The lists of a page; a name is read before what refers to it. */
const LISTS = [
  'users',
  'statuses',
  'categories',
  'labels',
  'forums',
  'suggestions',
  'comments',
  'status_updates',
  'supporters',
  'notes',
] as const
const MAX_NAMES = 1_000_000
const HIDDEN = new Set(['spam', 'deleted', 'pending', 'inappropriate'])

const isTable = (file: string) => /\.(?:csv|tsv)$/i.test(file)

class UserVoiceReading implements SourceReading {
  readonly what = 'suggestions of UserVoice: answers of its API, or an export in CSV'
  readonly peopleFirst = true
  readonly #options: SourceOptions
  readonly #table: TableReading
  readonly #votes = new VoteCounts()
  /** Names of statuses, categories, labels and forums by `type:id`. */
  readonly #names = new Map<string, string>()

  constructor(options: SourceOptions) {
    this.#options = options
    this.#table = new TableReading({ ...options, kind: options.kind ?? 'feature' }, COLUMNS)
  }

  recordsOf(file: SourceFile) {
    return isTable(file.name) ? csvRecords(file) : jsonRecords(file)
  }

  find(value: unknown, file: string): Iterable<RawRecord> | undefined {
    if (isTable(file)) return this.#table.find(value)
    const lists = LISTS.filter((list) => Array.isArray(at(value, list)))
    return lists.length === 0 ? undefined : this.#page(value, lists)
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  *#page(value: unknown, lists: readonly (typeof LISTS)[number][]): Iterable<RawRecord> {
    for (const list of lists) for (const entry of listOf(at(value, list))) yield* this.#entry(list, entry)
  }

  #entry(list: (typeof LISTS)[number], value: unknown): Iterable<RawRecord> {
    switch (list) {
      case 'users':
        return people(value)
      case 'suggestions':
        return this.#suggestion(value)
      case 'comments':
        return comment(value)
      case 'status_updates':
        return this.#update(value)
      case 'supporters':
        return this.#supporter(value)
      case 'notes':
        return [{ type: 'left out', what: 'notes of the team' }]
      default:
        return this.#named(list, value)
    }
  }

  #named(list: string, value: unknown): Iterable<RawRecord> {
    const [id, name] = [idOf(at(value, 'id')), oneOf(value, 'name', 'full_name')]
    if (id === undefined || typeof name !== 'string' || this.#names.size >= MAX_NAMES) return []
    this.#names.set(`${list}:${id}`, name)
    return list === 'labels' ? [{ type: 'label', name, color: oneOf(value, 'color', 'hex_color') }] : []
  }

  #nameOf(list: string, id: unknown): string | undefined {
    return this.#names.get(`${list}:${idOf(id) ?? ''}`)
  }

  *#suggestion(value: unknown): Iterable<RawRecord> {
    if (HIDDEN.has(wordAt(value, 'state')))
      return yield { type: 'left out', what: 'suggestions that are spam, deleted or not approved' }
    const links = at(value, 'links')
    const id = idOf(at(value, 'id'))
    const category = this.#nameOf('categories', at(links, 'category'))
    const forum = this.#nameOf('forums', at(links, 'forum'))
    const names = listOf(at(links, 'labels')).map((label) => this.#nameOf('labels', label))
    const labels = [forum && `forum: ${forum}`, category && `category: ${category}`, ...names].filter(
      (name) => name !== undefined,
    )
    yield {
      type: 'thing',
      id,
      kind: kindOfLabels([category, ...names]) ?? this.#options.kind ?? 'feature',
      url: at(value, 'portal_url'),
      author: at(links, 'created_by'),
      title: at(value, 'title'),
      text: textOf(value),
      ...this.#stateOf(value, links),
      labels,
      createdAt: at(value, 'created_at'),
      updatedAt: at(value, 'updated_at'),
    }
    this.#votes.counted(id, Math.max(countAt(value, 'supporters_count'), countAt(value, 'votes_count')))
  }

  #stateOf(value: unknown, links: unknown): Pick<Extract<RawRecord, { type: 'thing' }>, 'state' | 'stateWords'> {
    if (idOf(at(links, 'parent_suggestion'))) return { state: 'declined', stateWords: 'merged into another' }
    const status = this.#nameOf('statuses', at(links, 'status'))
    if (status !== undefined) return { state: stateOfWords(status), stateWords: status }
    return wordAt(value, 'state') === 'closed' ? { state: 'done', stateWords: 'closed' } : { state: 'open' }
  }

  *#update(value: unknown): Iterable<RawRecord> {
    if (!textAt(value, 'body')) return yield { type: 'left out', what: 'changes of status without a comment' }
    const status = this.#nameOf('statuses', at(value, 'links', 'status'))
      ?.slice(0, 100)
      .replaceAll(/[*\s]+/g, ' ')
    const text = textOf(value)
    const id = idOf(at(value, 'id'))
    yield {
      ...commentOf(value),
      id: id && `status update ${id}`,
      text: status && typeof text === 'string' ? `**${status}**\n\n${text}` : text,
    }
  }

  *#supporter(value: unknown): Iterable<RawRecord> {
    const [thing, person] = [
      idOf(at(value, 'links', 'suggestion')),
      idOf(oneOf(at(value, 'links'), 'user', 'created_by')),
    ]
    if (thing !== undefined && person !== undefined) this.#votes.come(thing, person)
    yield { type: 'vote', thing, person, value: 1, createdAt: at(value, 'created_at') }
  }
}

function* comment(value: unknown): Iterable<RawRecord> {
  if (HIDDEN.has(wordAt(value, 'state')))
    yield { type: 'left out', what: 'comments that are spam, deleted or not approved' }
  else yield commentOf(value)
}

const commentOf = (value: unknown): Extract<RawRecord, { type: 'comment' }> => ({
  type: 'comment',
  id: at(value, 'id'),
  thing: at(value, 'links', 'suggestion'),
  author: oneOf(at(value, 'links'), 'created_by', 'user'),
  text: textOf(value),
  createdAt: at(value, 'created_at'),
  updatedAt: at(value, 'updated_at'),
})

function textOf(value: unknown): unknown {
  const body = at(value, 'body')
  return typeof body === 'string' && wordAt(value, 'body_mime_type') === 'text/html' ? markdownOf(body) : body
}

function people(value: unknown): RawRecord[] {
  const email = textAt(value, 'email_address') || undefined
  const username = textAt(value, 'name') || email?.replace(/@.*$/, '')
  if (username === undefined || !has(value, 'id')) return []
  return [{ type: 'person', id: at(value, 'id'), accountId: at(value, 'id'), username, name: at(value, 'name'), email }]
}
