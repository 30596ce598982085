// Lemmy: answers of its API (join-lemmy.org/api), versions 3 and 4: posts and comments, as lists, alone or in arrays. A comment's path has the ids of
// all comments above it: `0.12.34` answers 12.
import type { RawRecord } from './cleaning.ts'
import { at, countAt, has, idOf, listOf, oneOf, textAt } from './fields.ts'
import { jsonRecords } from './json-records.ts'
import { kindOfLabels } from './kinds.ts'
import type { ReadSource, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new LemmyReading(options))

/** The lists of a page. */
const LISTS = ['posts', 'comments', 'items']

class LemmyReading implements SourceReading {
  readonly what = 'answers of Lemmy: posts and comments'
  readonly recordsOf = jsonRecords
  readonly #options: SourceOptions
  readonly #votes = new VoteCounts()

  constructor(options: SourceOptions) {
    this.#options = options
  }

  find(value: unknown): Iterable<RawRecord> | undefined {
    const list = LISTS.find((name) => Array.isArray(at(value, name)))
    if (list !== undefined) {
      return listOf(at(value, list)).flatMap((view) => [
        ...(this.#view(view) ?? [{ type: 'left out', what: 'entries of an unknown form' } as const]),
      ])
    }
    if (has(value, 'post_likes') || has(value, 'comment_likes'))
      return [{ type: 'left out', what: 'votes, which do not say what they are for' }]
    return this.#view(at(value, 'post_view') ?? at(value, 'comment_view') ?? value)
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  /** A comment's view has its post beside it. */
  #view(value: unknown): Iterable<RawRecord> | undefined {
    if (has(value, 'comment')) return this.#comment(value)
    return has(value, 'post') ? this.#post(value) : undefined
  }

  *#post(value: unknown): Iterable<RawRecord> {
    const post = at(value, 'post')
    if (isGone(post)) return yield { type: 'left out', what: 'posts that are removed or deleted' }
    const community = textAt(value, 'community', 'title') ?? textAt(value, 'community', 'name')
    const id = idOf(at(post, 'id'))
    yield* people(value)
    yield {
      type: 'thing',
      id,
      kind: kindOfLabels([community]) ?? this.#options.kind ?? 'post',
      url: at(post, 'ap_id'),
      author: authorOf(value),
      title: at(post, 'name'),
      text: withLink(at(post, 'body'), at(post, 'url')),
      labels: [community && `community: ${community}`],
      createdAt: oneOf(post, 'published_at', 'published'),
      updatedAt: oneOf(post, 'updated_at', 'updated'),
      isLocked: at(post, 'locked'),
      isPinned: at(post, 'featured_community') === true || at(post, 'featured_local') === true,
    }
    const counts = at(value, 'counts') ?? post
    this.#votes.counted(id, countAt(counts, 'upvotes') + countAt(counts, 'downvotes'))
  }

  *#comment(value: unknown): Iterable<RawRecord> {
    const comment = at(value, 'comment')
    if (isGone(comment)) return yield { type: 'left out', what: 'comments that are removed or deleted' }
    const above = textAt(comment, 'path')?.split('.').at(-2)
    yield* people(value)
    yield {
      type: 'comment',
      id: at(comment, 'id'),
      thing: at(comment, 'post_id'),
      parent: above === '0' ? undefined : above,
      url: at(comment, 'ap_id'),
      author: authorOf(value),
      text: at(comment, 'content'),
      createdAt: oneOf(comment, 'published_at', 'published'),
      updatedAt: oneOf(comment, 'updated_at', 'updated'),
    }
    const counts = at(value, 'counts') ?? comment
    const votes = countAt(counts, 'upvotes') + countAt(counts, 'downvotes')
    if (votes > 0) yield { type: 'left out', what: 'votes for comments', count: votes }
  }
}

const isGone = (value: unknown) => at(value, 'removed') === true || at(value, 'deleted') === true

/** A post of a link has its address beside the text. */
function withLink(text: unknown, address: unknown): unknown {
  if (typeof address !== 'string' || !/^https?:\/\/[^\s<>]{1,2000}$/.test(address)) return text
  if (text === undefined || text === null || text === '') return `<${address}>`
  return typeof text === 'string' ? `<${address}>\n\n${text}` : text
}

const authorOf = (value: unknown): string | undefined =>
  at(value, 'creator', 'deleted') === true ? undefined : idOf(at(value, 'creator', 'id'))

/** People of other instances are named with theirs, as Lemmy shows them. */
function people(value: unknown): RawRecord[] {
  const creator = at(value, 'creator')
  const name = textAt(creator, 'name')
  if (!name || authorOf(value) === undefined) return []
  const host = /^https?:\/\/([^/]{1,200})\//.exec(textAt(creator, 'actor_id') ?? textAt(creator, 'ap_id') ?? '')?.[1]
  const username = at(creator, 'local') === false && host ? `${name}@${host}` : name
  return [
    {
      type: 'person',
      id: at(creator, 'id'),
      accountId: at(creator, 'id'),
      username,
      name: at(creator, 'display_name'),
      isBot: at(creator, 'bot_account') === true,
    },
  ]
}
