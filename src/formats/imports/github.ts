// GitHub: answers of its REST API (issues, comments, labels, milestones, reactions; docs.github.com/rest/issues), of its GraphQL API (issues and
// discussions with their comments), and what `gh issue list --json` and `gh issue view --json` print. The forms differ in names, not in meaning.
// Things and comments have the same ids in each: `owner/name#12` and `issuecomment-34`, people their login.
import type { RawRecord } from './cleaning.ts'
import { at, countAt, has, idOf, listOf, oneOf, textAt, valuesOf, wordAt } from './fields.ts'
import { jsonRecords } from './json-records.ts'
import { declinesByLabels, kindOfLabels } from './kinds.ts'
import type { ReadSource, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new GitHubReading(options))

const FORMS = 'answers of GitHub: issues, comments, labels, milestones, reactions, discussions'
/** Depth of an answer to which things are looked for: data, repository, issues, nodes, and a little more. */
const DEPTH = 8
const HIDDEN = new Set(['spam', 'abuse', 'off-topic', 'off_topic'])

class GitHubReading implements SourceReading {
  readonly what = FORMS
  readonly recordsOf = jsonRecords
  readonly #options: SourceOptions
  readonly #repositories = new Set<string>()
  readonly #votes = new VoteCounts()

  constructor(options: SourceOptions) {
    this.#options = options
  }

  find(value: unknown, file: string): Iterable<RawRecord> | undefined {
    if (valuesOf(at(value, 'data'))) return this.#answer(at(value, 'data'))
    if (isComment(value)) return this.#comment(value)
    if (isThing(value)) return this.#thing(value)
    if (has(value, 'content', 'user')) return this.#reaction(value, file)
    if (has(value, 'title', 'open_issues')) return [milestone(value)]
    if (has(value, 'name', 'color')) return [label(value)]
    return undefined
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  /** Every thing in a GraphQL answer, for any query. */
  *#answer(data: unknown, depth = 0): Iterable<RawRecord> {
    if (depth > DEPTH) return
    if (isThing(data)) return yield* this.#thing(data)
    const inner = Array.isArray(data) ? data : Object.values(valuesOf(data) ?? {})
    for (const value of inner) if (typeof value === 'object') yield* this.#answer(value, depth + 1)
  }

  *#thing(value: unknown): Iterable<RawRecord> {
    const url = addressOf(value)
    if (isPullRequest(value, url)) return yield { type: 'left out', what: 'pull requests' }
    const isDiscussion = /\/discussions\/\d+$/.test(url ?? '') || has(value, 'category')
    const id = this.#idOf(value, url)
    const labels = labelsOf(value)
    yield* labels
    const names = labels.map(({ name }) => name)
    const author = person(oneOf(value, 'user', 'author'))
    if (author) yield author
    yield {
      type: 'thing',
      id,
      kind: isDiscussion ? 'post' : this.#kindOf(value, names),
      number: at(value, 'number'),
      url,
      author: author?.id,
      title: at(value, 'title'),
      text: at(value, 'body'),
      ...stateOf(value, names),
      labels: names,
      createdAt: oneOf(value, 'created_at', 'createdAt'),
      updatedAt: oneOf(value, 'lastEditedAt', 'updated_at', 'updatedAt'),
      isLocked: at(value, 'locked'),
      isPinned: at(value, 'isPinned'),
    }
    const assignees = listOf(at(value, 'assignees')).length
    if (assignees > 0) yield { type: 'left out', what: 'assignees', count: assignees }
    yield* this.#reactions(value, id)
    yield* this.#comments(at(value, 'comments'), value, { thing: id })
  }

  #idOf(value: unknown, url: string | undefined): string | undefined {
    const number = idOf(at(value, 'number'))
    if (number === undefined) return undefined
    const repository = /\/([\w.-]+\/[\w.-]+)\/(?:issues|discussions)\/\d+$/.exec(url ?? '')?.[1] ?? ''
    this.#repositories.add(repository)
    return `${repository}#${number}`
  }

  #kindOf(value: unknown, labels: readonly unknown[]): 'bug' | 'feature' | 'post' {
    const type = wordAt(value, 'type', 'name') || wordAt(value, 'issueType', 'name')
    return kindOfLabels([type, ...labels]) ?? this.#options.kind ?? 'bug'
  }

  /** A comment that is not within its thing: its address, or that of its thing, says where it belongs. */
  *#comment(value: unknown): Iterable<RawRecord> {
    const url = addressOf(value) ?? ''
    if (/\/pull\/\d+/.test(url) || has(value, 'pull_request_url')) {
      return yield { type: 'left out', what: 'comments of pull requests' }
    }
    const place = /\/([\w.-]+\/[\w.-]+)\/(?:issues|discussions)\/(\d+)/.exec(textAt(value, 'issue_url') ?? url)
    yield* this.#oneComment(value, { thing: place ? `${place[1]}#${place[2]}` : undefined })
  }

  *#comments(list: unknown, holder: unknown, place: { thing?: string; parent?: string }): Iterable<RawRecord> {
    const comments = listOf(list)
    const missing = countAt(list, 'totalCount') - comments.length
    if (missing > 0 && valuesOf(list))
      yield { type: 'left out', what: 'comments that the answer did not have', count: missing }
    const solution = idOf(at(holder, 'answer', 'id'))
    for (const value of comments) yield* this.#oneComment(value, { ...place, solution })
  }

  *#oneComment(value: unknown, place: { thing?: string; parent?: string; solution?: string }): Iterable<RawRecord> {
    if (HIDDEN.has(wordAt(value, 'minimizedReason'))) {
      return yield { type: 'left out', what: 'comments that were hidden as spam, abuse or off-topic' }
    }
    const url = addressOf(value)
    const id = /#((?:issue|discussion)comment-\d+)$/.exec(url ?? '')?.[1] ?? idOf(at(value, 'id'))
    const author = person(oneOf(value, 'user', 'author'))
    if (author) yield author
    yield {
      type: 'comment',
      id,
      thing: place.thing,
      parent: place.parent,
      url,
      author: author?.id,
      text: at(value, 'body'),
      createdAt: oneOf(value, 'created_at', 'createdAt'),
      updatedAt: oneOf(value, 'lastEditedAt', 'updated_at', 'updatedAt'),
      isSolution:
        at(value, 'isAnswer') === true || (place.solution !== undefined && place.solution === idOf(at(value, 'id'))),
    }
    const reactions = countAt(value, 'reactions', 'total_count') + countAt(value, 'reactions', 'totalCount')
    if (reactions > 0) yield { type: 'left out', what: 'reactions to comments', count: reactions }
    // Discussions have one level of answers.
    if (place.parent === undefined && id !== undefined)
      yield* this.#comments(at(value, 'replies'), value, { thing: place.thing, parent: id })
  }

  /** The reactions within a thing: with those who reacted in GraphQL, as counts elsewhere. */
  *#reactions(value: unknown, thing: string | undefined): Iterable<RawRecord> {
    if (thing === undefined) return
    const given = valuesOf(at(value, 'reactions'))
    for (const reaction of listOf(given)) yield* this.#vote(reaction, thing)
    const groups = listOf(at(value, 'reactionGroups'))
    let counted = countAt(given, '+1') + countAt(given, '-1') + countAt(value, 'upvoteCount')
    for (const group of groups) {
      const total = countAt(group, 'users', 'totalCount') || countAt(group, 'reactors', 'totalCount')
      if (voteOf(group)) counted += total
      else if (total > 0) yield { type: 'left out', what: 'reactions that are no votes', count: total }
    }
    this.#votes.counted(thing, counted)
  }

  /** An answer of /issues/N/reactions does not say the issue: the number is in the file's name. */
  #reaction(value: unknown, file: string): Iterable<RawRecord> {
    const number = /comment/i.test(file) ? undefined : /\d+(?=\D*$)/.exec(file)?.[0]
    if (number === undefined)
      return [{ type: 'left out', what: 'reactions of files whose name has no number of an issue' }]
    const [repository = '', ...others] = this.#repositories
    if (others.length > 0)
      return [{ type: 'left out', what: 'reactions, which do not say which repository they are of' }]
    return this.#vote(value, `${repository}#${number}`)
  }

  *#vote(reaction: unknown, thing: string): Iterable<RawRecord> {
    const vote = voteOf(reaction)
    if (vote === undefined) return yield { type: 'left out', what: 'reactions that are no votes' }
    const voter = person(at(reaction, 'user'))
    this.#votes.come(thing, voter ? String(voter.id) : `reaction ${idOf(at(reaction, 'id'))}`)
    if (!voter) return yield { type: 'left out', what: 'votes of deleted accounts' }
    yield voter
    yield { type: 'vote', thing, person: voter.id, value: vote, createdAt: oneOf(reaction, 'created_at', 'createdAt') }
  }
}

/** The address of the page; that of the API, where there is no other. */
const addressOf = (value: unknown) => textAt(value, 'html_url') ?? textAt(value, 'url')

const isComment = (value: unknown) =>
  has(value, 'body') && !has(value, 'title') && (has(value, 'issue_url') || has(value, 'url'))
/** An issue, a pull request or a discussion. */
const isThing = (value: unknown) => has(value, 'number', 'title') && !has(value, 'open_issues') && !has(value, 'dueOn')

const isPullRequest = (value: unknown, url: string | undefined) =>
  has(value, 'pull_request') ||
  has(value, 'headRefName') ||
  wordAt(value, '__typename') === 'pullrequest' ||
  /\/pull\/\d+$/.test(url ?? '')

/** The vote that a reaction is; undefined for hearts and rockets. */
function voteOf(reaction: unknown): 1 | -1 | undefined {
  const content = wordAt(reaction, 'content')
  if (content === '+1' || content === 'thumbs_up') return 1
  return content === '-1' || content === 'thumbs_down' ? -1 : undefined
}

/** `ghost` is the name of every deleted account. A bot is named in three ways: `x[bot]`, `x`, `app/x`. */
function person(value: unknown): Extract<RawRecord, { type: 'person' }> | undefined {
  const login = textAt(value, 'login')
  if (!login || login === 'ghost') return undefined
  const isBot =
    wordAt(value, 'type') === 'bot' ||
    wordAt(value, '__typename') === 'bot' ||
    at(value, 'is_bot') === true ||
    /^app\/|\[bot\]$/.test(login)
  const id = isBot ? `${login.replace(/^app\//, '').replace(/\[bot\]$/, '')}[bot]` : login
  return {
    type: 'person',
    id,
    accountId: accountIdOf(value),
    username: id,
    name: at(value, 'name'),
    email: textAt(value, 'email') || undefined,
    isBot,
  }
}

/** REST has the number as the id, GraphQL as `databaseId`; other ids are no numbers. */
function accountIdOf(value: unknown): string | undefined {
  const [id, databaseId] = [at(value, 'id'), at(value, 'databaseId')]
  return idOf(typeof id === 'number' ? id : databaseId)
}

const label = (value: unknown): Extract<RawRecord, { type: 'label' }> =>
  typeof value === 'string'
    ? { type: 'label', name: value }
    : { type: 'label', name: at(value, 'name'), color: at(value, 'color'), description: at(value, 'description') }

const milestone = (value: unknown): Extract<RawRecord, { type: 'label' }> => ({
  type: 'label',
  name: `milestone: ${textAt(value, 'title') ?? ''}`,
  description: at(value, 'description'),
})

/** Labels, the milestone and the category of a discussion. */
function labelsOf(value: unknown): Extract<RawRecord, { type: 'label' }>[] {
  const labels = listOf(at(value, 'labels')).map(label)
  if (textAt(value, 'milestone', 'title')) labels.push(milestone(at(value, 'milestone')))
  const category = textAt(value, 'category', 'name')
  if (category)
    labels.push({ type: 'label', name: `category: ${category}`, description: at(value, 'category', 'description') })
  return labels
}

function stateOf(
  value: unknown,
  labels: readonly unknown[],
): { state: 'open' | 'done' | 'declined'; stateWords?: string } {
  const isClosed = wordAt(value, 'state') === 'closed' || at(value, 'closed') === true
  if (!isClosed) return { state: 'open' }
  const reason = wordAt(value, 'state_reason') || wordAt(value, 'stateReason')
  // Reasons came in 2022; before, a label said it.
  const declined = reason === '' ? declinesByLabels(labels) : ['not_planned', 'duplicate', 'outdated'].includes(reason)
  return { state: declined ? 'declined' : 'done', stateWords: reason === '' ? 'closed' : `closed as ${reason}` }
}
