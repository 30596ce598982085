// Discourse: answers of its API (docs.discourse.org): topics with their posts (/t/ID.json?print=true, with include_raw=1 for Markdown), posts alone,
// categories and users. A topic is a thing with the text of its first post; the other posts are comments, and posts are named by their number.
import type { RawRecord } from './cleaning.ts'
import { at, countAt, has, idOf, listOf, textAt, valuesOf, wordAt } from './fields.ts'
import { markdownOf } from './html.ts'
import { jsonRecords } from './json-records.ts'
import { kindOfLabels } from './kinds.ts'
import type { ReadSource, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new DiscourseReading(options))

/** The kind of action that a like is. */
const LIKE = 2
const MAX_CATEGORIES = 10_000

class DiscourseReading implements SourceReading {
  readonly what = 'answers of Discourse: topics with their posts, categories, users'
  readonly recordsOf = jsonRecords
  readonly first = /user|categor|site/
  readonly peopleFirst = true
  readonly #options: SourceOptions
  readonly #votes = new VoteCounts()
  readonly #categories = new Map<string, string>()

  constructor(options: SourceOptions) {
    this.#options = options
  }

  find(value: unknown): Iterable<RawRecord> | undefined {
    if (has(value, 'post_stream'))
      return has(value, 'title') ? this.#topic(value) : this.#posts(at(value, 'post_stream', 'posts'), at(value, 'id'))
    if (has(value, 'topic_id', 'post_number')) return this.#post(value, at(value, 'topic_id'))
    if (has(value, 'category_list')) return this.#listed(at(value, 'category_list', 'categories'), 0)
    if (has(value, 'categories')) return this.#listed(at(value, 'categories'), 0)
    if (has(value, 'user')) return people(at(value, 'user'))
    if (has(value, 'directory_items'))
      return listOf(at(value, 'directory_items')).flatMap((item) => people(at(item, 'user')))
    if (has(value, 'users')) return listOf(at(value, 'users')).flatMap(people)
    if (has(value, 'username')) return people(value)
    return undefined
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  *#listed(categories: unknown, depth: number): Iterable<RawRecord> {
    for (const category of listOf(categories)) {
      const [id, name] = [idOf(at(category, 'id')), textAt(category, 'name')]
      if (id === undefined || name === undefined || this.#categories.size > MAX_CATEGORIES) continue
      this.#categories.set(id, name)
      yield {
        type: 'label',
        name: labelOf(name),
        color: at(category, 'color'),
        description: at(category, 'description_text'),
      }
      if (depth < 3) yield* this.#listed(at(category, 'subcategory_list'), depth + 1)
    }
  }

  *#topic(value: unknown): Iterable<RawRecord> {
    const id = idOf(at(value, 'id'))
    if (wordAt(value, 'archetype') === 'private_message') return yield { type: 'left out', what: 'private messages' }
    if (at(value, 'visible') === false || (has(value, 'deleted_at') && at(value, 'deleted_at') !== null)) {
      return yield { type: 'left out', what: 'topics that are deleted or not listed' }
    }
    const posts = listOf(at(value, 'post_stream', 'posts'))
    const first = posts.find((post) => at(post, 'post_number') === 1)
    const category = this.#categories.get(idOf(at(value, 'category_id')) ?? '')
    const tags = listOf(at(value, 'tags')).map((tag) => (typeof tag === 'string' ? tag : at(tag, 'name')))
    yield* people(first)
    yield {
      type: 'thing',
      id,
      kind: kindOfLabels([category, ...tags]) ?? this.#options.kind ?? 'post',
      number: at(value, 'id'),
      author: authorOf(first),
      title: at(value, 'title'),
      text: textOf(first),
      labels: category === undefined ? tags : [labelOf(category), ...tags],
      createdAt: at(value, 'created_at'),
      updatedAt: at(first, 'updated_at'),
      isLocked: at(value, 'closed') === true || at(value, 'archived') === true,
      isPinned: at(value, 'pinned') === true || at(value, 'pinned_globally') === true,
    }
    this.#votes.counted(id, Math.max(likesOf(first), countAt(value, 'vote_count')))
    const missing = listOf(at(value, 'post_stream', 'stream')).length - posts.length
    if (missing > 0) yield { type: 'left out', what: 'posts that the answer did not have', count: missing }
    yield* this.#posts(posts, id, at(value, 'accepted_answer', 'post_number'))
  }

  *#posts(posts: unknown, topic: unknown, accepted?: unknown): Iterable<RawRecord> {
    for (const post of listOf(posts)) yield* this.#post(post, topic, accepted)
  }

  *#post(post: unknown, topic: unknown, accepted?: unknown): Iterable<RawRecord> {
    const number = idOf(at(post, 'post_number'))
    if (number === '1') return
    const reason = reasonToLeaveOut(post)
    if (reason) return yield { type: 'left out', what: reason }
    const answered = idOf(at(post, 'reply_to_post_number'))
    yield* people(post)
    yield {
      type: 'comment',
      id: number === undefined ? undefined : `${idOf(topic)}/${number}`,
      thing: idOf(topic),
      parent: answered === undefined || answered === '1' ? undefined : `${idOf(topic)}/${answered}`,
      author: authorOf(post),
      text: textOf(post),
      createdAt: at(post, 'created_at'),
      updatedAt: at(post, 'updated_at'),
      isSolution:
        at(post, 'accepted_answer') === true || (accepted !== undefined && accepted === at(post, 'post_number')),
    }
    const likes = likesOf(post)
    if (likes > 0) yield { type: 'left out', what: 'likes of comments', count: likes }
  }
}

const labelOf = (category: string) => `category: ${category}`

/** Kinds of posts: 1 is a usual one, 2 has a moderator's colour, 3 says what was done, 4 is seen by the team alone. */
function reasonToLeaveOut(post: unknown): string | undefined {
  if (at(post, 'post_type') === 3 || has(post, 'action_code')) return 'notes of the system'
  if (at(post, 'post_type') === 4) return 'whispers of the team'
  const isGone =
    at(post, 'hidden') === true || at(post, 'user_deleted') === true || (at(post, 'deleted_at') ?? null) !== null
  return isGone ? 'posts that are hidden or deleted' : undefined
}

function textOf(post: unknown): unknown {
  const raw = at(post, 'raw')
  const cooked = at(post, 'cooked')
  return typeof raw !== 'string' && typeof cooked === 'string' ? markdownOf(cooked) : raw
}

function likesOf(post: unknown): number {
  const likes = listOf(at(post, 'actions_summary')).find((action) => at(action, 'id') === LIKE)
  return countAt(likes, 'count')
}

/** Usernames are unique, and posts name their authors by them. Negative ids are accounts of the system. */
const authorOf = (value: unknown): string | undefined => textAt(value, 'username')

function people(value: unknown): RawRecord[] {
  const username = authorOf(value)
  if (!valuesOf(value) || !username) return []
  const id = at(value, 'user_id') ?? at(value, 'id')
  return [
    {
      type: 'person',
      id: username,
      accountId: id,
      username,
      name: at(value, 'name'),
      email: at(value, 'email'),
      isBot: typeof id === 'number' && id < 0,
    },
  ]
}
