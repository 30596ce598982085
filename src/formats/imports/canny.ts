// Canny: answers of its API (developers.canny.io): posts, comments, votes, status changes, users, boards, tags, as pages of version 1 (posts, hasMore)
// and of version 2 (items, cursor), or as arrays of their entries. What only the team sees is left out.
import type { RawRecord } from './cleaning.ts'
import { at, countAt, has, idOf, listOf, oneOf, textAt, valuesOf, wordAt } from './fields.ts'
import { jsonRecords } from './json-records.ts'
import { kindOfLabels, stateOfWords } from './kinds.ts'
import type { ReadSource, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new CannyReading(options))

/** The lists of a page. */
const LISTS = ['posts', 'comments', 'votes', 'statusChanges', 'users', 'boards', 'tags', 'categories', 'items']

class CannyReading implements SourceReading {
  readonly what = 'answers of Canny: posts, comments, votes, status changes, users'
  readonly recordsOf = jsonRecords
  readonly first = /user|tag/
  readonly #options: SourceOptions
  readonly #votes = new VoteCounts()

  constructor(options: SourceOptions) {
    this.#options = options
  }

  find(value: unknown): Iterable<RawRecord> | undefined {
    const list = LISTS.find((name) => Array.isArray(at(value, name)) && !has(value, 'id'))
    if (list === undefined) return this.#entry(value)
    return listOf(at(value, list)).flatMap((entry) => [
      ...(this.#entry(entry) ?? [{ type: 'left out', what: 'entries of an unknown form' } as const]),
    ])
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  #entry(value: unknown): Iterable<RawRecord> | undefined {
    if (has(value, 'title', 'details')) return this.#post(value)
    if (has(value, 'voter')) return this.#vote(value)
    if (has(value, 'changer')) return this.#change(value)
    if (has(value, 'post', 'value')) return this.#comment(value)
    if (has(value, 'isPrivate') || has(value, 'postCount')) return tagOrBoard(value)
    if (has(value, 'name', 'id')) return people(value)
    return undefined
  }

  *#post(value: unknown): Iterable<RawRecord> {
    if (at(value, 'board', 'isPrivate') === true) return yield { type: 'left out', what: 'posts of private boards' }
    const [board, category] = [textAt(value, 'board', 'name'), textAt(value, 'category', 'name')]
    const tags = listOf(at(value, 'tags')).map((tag) => at(tag, 'name'))
    const labels = [board && `board: ${board}`, category && `category: ${category}`, ...tags]
    yield* people(at(value, 'author'))
    yield {
      type: 'thing',
      id: at(value, 'id'),
      kind: kindOfBoard(board) ?? kindOfLabels([category, ...tags]) ?? this.#options.kind ?? 'feature',
      url: at(value, 'url'),
      author: at(value, 'author', 'id'),
      title: at(value, 'title'),
      text: withImages(at(value, 'details'), value),
      // What was built is complete, and what was not is closed.
      state: wordAt(value, 'status') === 'closed' ? 'declined' : stateOfWords(at(value, 'status')),
      stateWords: at(value, 'status'),
      labels,
      createdAt: at(value, 'created'),
    }
    this.#votes.counted(idOf(at(value, 'id')), countAt(value, 'score'))
  }

  *#comment(value: unknown): Iterable<RawRecord> {
    if (at(value, 'internal') === true || at(value, 'private') === true)
      return yield { type: 'left out', what: 'internal comments' }
    yield* people(at(value, 'author'))
    yield {
      type: 'comment',
      id: at(value, 'id'),
      thing: at(value, 'post', 'id'),
      parent: at(value, 'parentID'),
      author: at(value, 'author', 'id'),
      text: withImages(at(value, 'value'), value),
      createdAt: at(value, 'created'),
    }
    const likes = countAt(value, 'likeCount')
    if (likes > 0) yield { type: 'left out', what: 'likes of comments', count: likes }
  }

  *#vote(value: unknown): Iterable<RawRecord> {
    yield* people(at(value, 'voter'))
    const [thing, person] = [idOf(at(value, 'post', 'id')), idOf(at(value, 'voter', 'id'))]
    this.#votes.come(thing, person ?? `vote ${idOf(at(value, 'id'))}`)
    if (person === undefined) return yield { type: 'left out', what: 'votes of deleted accounts' }
    yield { type: 'vote', thing, person, value: 1, createdAt: at(value, 'created') }
  }

  /** A change of status with a text is what the team said to it: a comment. */
  *#change(value: unknown): Iterable<RawRecord> {
    const text = withImages(at(value, 'changeComment', 'value'), at(value, 'changeComment'))
    if (!text) return yield { type: 'left out', what: 'changes of status without a comment' }
    yield* people(at(value, 'changer'))
    yield {
      type: 'comment',
      id: at(value, 'id'),
      thing: at(value, 'post', 'id'),
      author: at(value, 'changer', 'id'),
      text: typeof text === 'string' ? `**${statusOf(value)}**\n\n${text}` : text,
      createdAt: at(value, 'created'),
    }
  }
}

const statusOf = (value: unknown) =>
  wordAt(value, 'status')
    .slice(0, 100)
    .replaceAll(/[*\n\r]/g, ' ')
    .trim() || 'open'

/** A board of bugs, as companies name them. */
const kindOfBoard = (board: string | undefined) =>
  board !== undefined && /\b(?:bugs?|defects?)\b/i.test(board.slice(0, 200)) ? 'bug' : undefined

function tagOrBoard(value: unknown): Iterable<RawRecord> {
  const board = at(value, 'board', 'name')
  return board === undefined ? [] : [{ type: 'label', name: at(value, 'name') }]
}

/** Images are beside the text, as addresses. */
function withImages(text: unknown, holder: unknown): unknown {
  const images = listOf(at(holder, 'imageURLs')).filter(
    (address) => typeof address === 'string' && /^https?:\/\/[^\s()<>]{1,2000}$/.test(address),
  )
  if (typeof text !== 'string' || images.length === 0) return text
  return [text, ...images.slice(0, 100).map((address) => `![](${address})`)].join('\n\n').trim()
}

/** A person without a name is shown by the first part of their mail address. */
function people(value: unknown): RawRecord[] {
  if (!valuesOf(value) || !has(value, 'id')) return []
  const email = textAt(value, 'email')
  const name = textAt(value, 'name')
  const username = oneOf(value, 'name', 'alias') ?? email?.replace(/@.*$/, '') ?? `user ${idOf(at(value, 'id'))}`
  return [
    { type: 'person', id: at(value, 'id'), accountId: at(value, 'id'), username, name, email: email || undefined },
  ]
}
