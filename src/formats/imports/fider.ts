// Fider: the tables of a backup (posts.json, comments.json, post_votes.json, post_tags.json, tags.json, users.json, attachments.json
// with blobs/), and answers of its API: posts, and
// comments and votes in files whose name has the number of their post. A backup is made by app/pkg/backup of Fider: a row is an object of its columns,
// and a text that is a number comes as one.
import type { RawRecord } from './cleaning.ts'
import { at, countAt, has, idOf, listOf, oneOf, textAt, valuesOf, wordAt } from './fields.ts'
import { jsonRecords } from './json-records.ts'
import { kindOfLabels } from './kinds.ts'
import type { ImportedState, ReadSource, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new FiderReading(options))

/** By the numbers of a backup and the words of the API. */
const STATES: [word: string, state: ImportedState][] = [
  ['open', 'open'],
  ['started', 'in_progress'],
  ['completed', 'done'],
  ['declined', 'declined'],
  ['planned', 'planned'],
  ['duplicate', 'declined'],
  ['deleted', 'declined'],
]
const MAX_TAGS = 1_000_000
/** Of one text. */
const MAX_ATTACHED = 20

class FiderReading implements SourceReading {
  readonly what = 'posts, comments, votes, tags and users of Fider'
  readonly recordsOf = jsonRecords
  readonly peopleFirst = true
  readonly #options: SourceOptions
  readonly #votes = new VoteCounts()
  readonly #tags = new Map<string, string>()
  /** The tags of each post. */
  readonly #tagged = new Map<string, Set<string>>()
  /** The pictures of each post, and of each comment. */
  readonly #attached = new Map<string, string[]>()
  /** The posts by their number. */
  readonly #numbers = new Map<string, string>()

  constructor(options: SourceOptions) {
    this.#options = options
  }

  takes(name: string): boolean {
    return /(^|[/\\\d_-])(posts?|comments|post_votes|votes|post_tags|tags|users|attachments)[^/\\]*\.jsonl?$/i.test(
      name,
    )
  }

  find(value: unknown, file: string): Iterable<RawRecord> | undefined {
    if (has(value, 'number', 'title')) return this.#post(value)
    if (has(value, 'attachment_bkey')) return this.#attachment(value)
    if (has(value, 'content')) return this.#comment(value, file)
    if (has(value, 'tag_id', 'post_id')) return this.#tagOf(value)
    if (has(value, 'slug', 'color')) return this.#tag(value)
    if (has(value, 'role')) return people(value)
    if (has(value, 'post_id', 'user_id') || (has(value, 'user') && /vote/i.test(file))) return this.#vote(value, file)
    return undefined
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  /** Tags that are not public are for the team alone. */
  #tag(value: unknown): Iterable<RawRecord> {
    const name = wordOf(at(value, 'name'))
    if (oneOf(value, 'is_public', 'isPublic') === false) return [{ type: 'left out', what: 'tags that are not public' }]
    if (name === undefined || this.#tags.size >= MAX_TAGS) return []
    for (const key of [idOf(at(value, 'id')), idOf(at(value, 'slug'))]) if (key !== undefined) this.#tags.set(key, name)
    return [{ type: 'label', name, color: wordOf(at(value, 'color')) }]
  }

  #tagOf(value: unknown): Iterable<RawRecord> {
    const [post, tag] = [idOf(at(value, 'post_id')), idOf(at(value, 'tag_id'))]
    if (post === undefined || tag === undefined || this.#tagged.size >= MAX_TAGS) return []
    const tags = this.#tagged.get(post) ?? new Set()
    if (tags.size < 1_000) this.#tagged.set(post, tags.add(tag))
    return []
  }

  /** It is beside the text that it belongs to, and shown below it. */
  #attachment(value: unknown): Iterable<RawRecord> {
    const [post, comment, key] = [at(value, 'post_id'), at(value, 'comment_id'), wordOf(at(value, 'attachment_bkey'))]
    const of = comment == null ? `post ${idOf(post)}` : `comment ${idOf(comment)}`
    const known = this.#attached.get(of) ?? []
    if (key === undefined || this.#attached.size >= MAX_TAGS || known.length >= MAX_ATTACHED || known.includes(key))
      return []
    this.#attached.set(of, [...known, key])
    return []
  }

  #withAttached(text: string | undefined, of: string): string | undefined {
    const pictures = (this.#attached.get(of) ?? []).map((key) => `![](blobs/${addressPart(key)})`)
    return pictures.length === 0 ? text : [text ?? '', ...pictures].join('\n\n').trim()
  }

  *#post(value: unknown): Iterable<RawRecord> {
    const id = idOf(at(value, 'id'))
    const [word, state] = statusOf(at(value, 'status'))
    if (word === 'deleted') return yield { type: 'left out', what: 'deleted posts' }
    if (oneOf(value, 'is_approved', 'isApproved') === false)
      return yield { type: 'left out', what: 'posts that wait for approval' }
    if (id !== undefined) this.#numbers.set(String(idOf(at(value, 'number'))), id)
    const tags = [...(this.#tagged.get(id ?? '') ?? []), ...listOf(at(value, 'tags'))].map((tag) =>
      this.#tags.get(idOf(tag) ?? ''),
    )
    yield* people(at(value, 'user'))
    yield {
      type: 'thing',
      id,
      kind: kindOfLabels(tags) ?? this.#options.kind ?? 'feature',
      number: at(value, 'number'),
      author: idOf(at(value, 'user_id')) ?? idOf(at(value, 'user', 'id')),
      title: wordOf(at(value, 'title')),
      text: this.#withAttached(wordOf(at(value, 'description')), `post ${id}`),
      state,
      stateWords: word,
      labels: tags.filter((tag) => tag !== undefined),
      createdAt: oneOf(value, 'created_at', 'createdAt'),
    }
    this.#votes.counted(id, countAt(value, 'votesCount'))
    yield* response(value, id)
  }

  *#comment(value: unknown, file: string): Iterable<RawRecord> {
    if ((oneOf(value, 'deleted_at', 'deletedAt') ?? null) !== null)
      return yield { type: 'left out', what: 'deleted comments' }
    if (oneOf(value, 'is_approved', 'isApproved') === false)
      return yield { type: 'left out', what: 'comments that wait for approval' }
    yield* people(at(value, 'user'))
    yield {
      type: 'comment',
      id: at(value, 'id'),
      thing: this.#postOf(value, file),
      author: idOf(at(value, 'user_id')) ?? idOf(at(value, 'user', 'id')),
      text: this.#withAttached(wordOf(at(value, 'content')), `comment ${idOf(at(value, 'id'))}`),
      createdAt: oneOf(value, 'created_at', 'createdAt'),
      updatedAt: oneOf(value, 'edited_at', 'editedAt'),
    }
    const reactions = listOf(at(value, 'reactionCounts')).reduce<number>(
      (sum, reaction) => sum + countAt(reaction, 'count'),
      0,
    )
    if (reactions > 0) yield { type: 'left out', what: 'reactions to comments', count: reactions }
  }

  *#vote(value: unknown, file: string): Iterable<RawRecord> {
    yield* people(at(value, 'user'))
    const [thing, person] = [this.#postOf(value, file), idOf(at(value, 'user_id')) ?? idOf(at(value, 'user', 'id'))]
    if (person !== undefined) this.#votes.come(thing, person)
    yield { type: 'vote', thing, person, value: 1, createdAt: oneOf(value, 'created_at', 'createdAt') }
  }

  /** The API's answers do not say which post they are of: the number is in the file's name. */
  #postOf(value: unknown, file: string): string | undefined {
    return idOf(at(value, 'post_id')) ?? this.#numbers.get(/\d+(?=\D*$)/.exec(file)?.[0] ?? '')
  }
}

/** What the team answered is a comment; for a duplicate it names the other post. */
function* response(value: unknown, post: string | undefined): Iterable<RawRecord> {
  const text = wordOf(at(value, 'response', 'text') ?? at(value, 'response'))
  if (text === undefined || text === '' || post === undefined) return
  yield* people(at(value, 'response', 'user'))
  yield {
    type: 'comment',
    id: `response to ${post}`,
    thing: post,
    author: idOf(at(value, 'response_user_id')) ?? idOf(at(value, 'response', 'user', 'id')),
    text,
    createdAt: oneOf(value, 'response_date', 'respondedAt') ?? at(value, 'response', 'respondedAt'),
  }
}

/** A key as an address in Markdown. */
const addressPart = (key: string): string =>
  encodeURI(key.toWellFormed()).replace(/[()#?]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)

/** Rows of a backup have numbers where a text looks like one. */
const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

function statusOf(status: unknown): [word: string, state: ImportedState] {
  const found = typeof status === 'number' ? STATES[status] : STATES.find(([word]) => word === status)
  return found ?? ['open', 'open']
}

/** Users of a backup who were deleted have no name and no mail. */
function people(value: unknown): RawRecord[] {
  const name = wordOf(at(value, 'name'))
  if (!valuesOf(value) || !name) return []
  return [
    {
      type: 'person',
      id: at(value, 'id'),
      accountId: at(value, 'id'),
      username: name,
      name,
      email: textAt(value, 'email') || undefined,
      isBot: wordAt(value, 'role') === 'bot',
    },
  ]
}
