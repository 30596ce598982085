// GitLab: the tree of a project's export (tree/project/issues.ndjson and the files beside it), and answers of its REST API: issues, notes,
// discussions, labels, milestones, award emoji (docs.gitlab.com/api). What only members of a project may see is left out.
import type { RawComment, RawRecord } from './cleaning.ts'
import { at, countAt, has, idOf, listOf, oneOf, textAt, valuesOf, wordAt } from './fields.ts'
import { jsonRecords } from './json-records.ts'
import { declinesByLabels, kindOfLabels, severityOfWords } from './kinds.ts'
import type { ReadSource, SourceOptions } from './record.ts'
import { type SourceReading, take } from './taking.ts'
import { VoteCounts } from './vote-counts.ts'

export const read: ReadSource = (files, options) => take(files, new GitLabReading(options))

class GitLabReading implements SourceReading {
  readonly what = 'issues of GitLab: an export (issues.ndjson) or answers of its API'
  readonly recordsOf = jsonRecords
  /** Only they are listed with their username in an export. */
  readonly first = /members|users/
  readonly peopleFirst = true
  readonly #options: SourceOptions
  readonly #votes = new VoteCounts()
  /** The things by the id that notes and emoji name them by. */
  readonly #things = new Map<string, string>()

  constructor(options: SourceOptions) {
    this.#options = options
  }

  /** An export has a file for each kind of thing, and most are of no use here. */
  takes(name: string): boolean {
    if (/\.ndjson$/.test(name)) return /(^|[/\\])(issues|labels|milestones|project_members)\.ndjson$/.test(name)
    return !/(^|[/\\])(project\.json|VERSION|GITLAB_VERSION|GITLAB_REVISION|lfs-objects\.json)$|\.(bundle|gz|png|jpe?g|gif)$/i.test(
      name,
    )
  }

  find(value: unknown): Iterable<RawRecord> | undefined {
    if (has(value, 'iid', 'title') && (has(value, 'description') || has(value, 'author'))) return this.#dispatch(value)
    if (has(value, 'notes', 'individual_note')) return this.#discussion(at(value, 'notes'))
    if (has(value, 'noteable_type')) return this.#note(value, this.#thingOf(value), {})
    if (has(value, 'awardable_type')) return this.#emoji(value, this.#things.get(idOf(at(value, 'awardable_id')) ?? ''))
    if (has(value, 'access_level')) return people(at(value, 'user'), at(value, 'user_id'))
    if (has(value, 'color') && (has(value, 'name') || has(value, 'title'))) return [label(value)]
    if (has(value, 'username', 'id')) return people(value, undefined)
    return undefined
  }

  finish(): Iterable<RawRecord> {
    return this.#votes.missing()
  }

  #dispatch(value: unknown): Iterable<RawRecord> {
    if (has(value, 'source_branch')) return [{ type: 'left out', what: 'merge requests' }]
    if (!has(value, 'author') && !has(value, 'author_id')) return [milestone(value)]
    if (at(value, 'confidential') === true) {
      const comments = listOf(at(value, 'notes')).length
      const found: RawRecord[] = [{ type: 'left out', what: 'confidential issues' }]
      return comments > 0
        ? [...found, { type: 'left out', what: 'comments of confidential issues', count: comments }]
        : found
    }
    return this.#issue(value)
  }

  *#issue(value: unknown): Iterable<RawRecord> {
    const number = idOf(at(value, 'iid'))
    const id = number === undefined ? undefined : `${idOf(at(value, 'project_id')) ?? ''}#${number}`
    if (id !== undefined) this.#things.set(String(idOf(at(value, 'id'))), id)
    const labels = labelsOf(value)
    yield* labels
    const names = labels.map(({ name }) => name)
    yield* people(at(value, 'author'), at(value, 'author_id'))
    yield {
      type: 'thing',
      id,
      kind: kindOfLabels(names) ?? (isIncident(value) ? 'bug' : (this.#options.kind ?? 'bug')),
      number: at(value, 'iid'),
      url: at(value, 'web_url'),
      author: authorOf(value),
      title: at(value, 'title'),
      text: at(value, 'description'),
      ...stateOf(value, names),
      severity: severityOfWords(wordAt(value, 'severity')),
      labels: names,
      createdAt: at(value, 'created_at'),
      updatedAt: oneOf(value, 'last_edited_at', 'updated_at'),
      isLocked: at(value, 'discussion_locked'),
    }
    const assignees = listOf(at(value, 'assignees')).length || listOf(at(value, 'issue_assignees')).length
    if (assignees > 0) yield { type: 'left out', what: 'assignees', count: assignees }
    this.#votes.counted(id, countAt(value, 'upvotes') + countAt(value, 'downvotes'))
    for (const emoji of listOf(at(value, 'award_emoji'))) yield* this.#emoji(emoji, id)
    yield* this.#notes(listOf(at(value, 'notes')), id)
  }

  /** Notes of one thing: those of one discussion answer its first. */
  *#notes(notes: readonly unknown[], thing: string | undefined): Iterable<RawRecord> {
    const firsts = new Map<string, string>()
    for (const [position, value] of notes.entries()) {
      const discussion = textAt(value, 'discussion_id')
      // Exports of some versions have no ids of notes.
      const id = idOf(at(value, 'id')) ?? `${thing}/${position + 1}`
      const parent = discussion === undefined ? undefined : firsts.get(discussion)
      if (discussion !== undefined && parent === undefined && isShown(value)) firsts.set(discussion, id)
      yield* this.#note(value, thing, { id, parent })
    }
  }

  *#discussion(list: unknown): Iterable<RawRecord> {
    let parent: string | undefined
    for (const value of listOf(list)) {
      yield* this.#note(value, this.#thingOf(value), { parent })
      if (isShown(value)) parent ??= idOf(at(value, 'id'))
    }
  }

  *#note(
    value: unknown,
    thing: string | undefined,
    place: Pick<RawComment, 'parent'> & { id?: string },
  ): Iterable<RawRecord> {
    const type = textAt(value, 'noteable_type') ?? 'Issue'
    if (type !== 'Issue') return yield { type: 'left out', what: 'notes of merge requests, commits and snippets' }
    if (at(value, 'system') === true) return yield { type: 'left out', what: 'notes of the system' }
    if (isInternal(value)) return yield { type: 'left out', what: 'internal notes' }
    yield* people(at(value, 'author'), at(value, 'author_id'))
    yield {
      type: 'comment',
      id: place.id ?? at(value, 'id'),
      thing,
      parent: place.parent,
      author: authorOf(value),
      text: oneOf(value, 'body', 'note'),
      createdAt: at(value, 'created_at'),
      updatedAt: oneOf(value, 'last_edited_at', 'updated_at'),
    }
    const emoji = listOf(at(value, 'award_emoji')).length
    if (emoji > 0) yield { type: 'left out', what: 'reactions to comments', count: emoji }
  }

  #thingOf(note: unknown): string | undefined {
    const number = idOf(at(note, 'noteable_iid'))
    if (number !== undefined) return `${idOf(at(note, 'project_id')) ?? ''}#${number}`
    return this.#things.get(String(idOf(at(note, 'noteable_id'))))
  }

  *#emoji(value: unknown, thing: string | undefined): Iterable<RawRecord> {
    const name = wordAt(value, 'name')
    if (textAt(value, 'awardable_type') === 'Note') return yield { type: 'left out', what: 'reactions to comments' }
    if (name !== 'thumbsup' && name !== 'thumbsdown')
      return yield { type: 'left out', what: 'reactions that are no votes' }
    yield* people(at(value, 'user'), at(value, 'user_id'))
    const person = idOf(oneOf(value, 'user_id')) ?? idOf(at(value, 'user', 'id'))
    if (person !== undefined) this.#votes.come(thing, person)
    yield { type: 'vote', thing, person, value: name === 'thumbsup' ? 1 : -1, createdAt: at(value, 'created_at') }
  }
}

const isInternal = (note: unknown) => at(note, 'internal') === true || at(note, 'confidential') === true
const isShown = (note: unknown) => at(note, 'system') !== true && !isInternal(note)
const isIncident = (value: unknown) =>
  wordAt(value, 'issue_type') === 'incident' || wordAt(value, 'type') === 'incident'

/** The author's id; undefined for `ghost`, the name of every deleted account. */
const authorOf = (value: unknown): string | undefined =>
  isGhost(at(value, 'author')) ? undefined : (idOf(at(value, 'author', 'id')) ?? idOf(at(value, 'author_id')))

const isGhost = (user: unknown) => /^ghost\d*$/.test(wordAt(user, 'username'))

/** An export names authors of notes without their username. */
function people(user: unknown, id: unknown): RawRecord[] {
  const username = textAt(user, 'username') ?? textAt(user, 'name')
  if (!valuesOf(user) || username === undefined || isGhost(user)) return []
  return [
    {
      type: 'person',
      id: idOf(at(user, 'id')) ?? id,
      accountId: idOf(at(user, 'id')) ?? id,
      username,
      name: at(user, 'name'),
      email: textAt(user, 'public_email') || textAt(user, 'email') || undefined,
      isBot: at(user, 'bot') === true || /_bot(?:_[0-9a-f]+)?$/.test(username) || undefined,
    },
  ]
}

const label = (value: unknown): Extract<RawRecord, { type: 'label' }> =>
  typeof value === 'string'
    ? { type: 'label', name: value }
    : {
        type: 'label',
        name: oneOf(value, 'title', 'name'),
        color: at(value, 'color'),
        description: at(value, 'description'),
      }

const milestone = (value: unknown): Extract<RawRecord, { type: 'label' }> => ({
  type: 'label',
  name: `milestone: ${textAt(value, 'title') ?? ''}`,
  description: at(value, 'description'),
})

function labelsOf(value: unknown): Extract<RawRecord, { type: 'label' }>[] {
  const links = listOf(at(value, 'label_links')).map((link) => label(at(link, 'label')))
  const labels = [...listOf(at(value, 'labels')).map(label), ...links]
  if (textAt(value, 'milestone', 'title')) labels.push(milestone(at(value, 'milestone')))
  return labels
}

function stateOf(
  value: unknown,
  labels: readonly unknown[],
): { state: 'open' | 'done' | 'declined'; stateWords?: string } {
  if (wordAt(value, 'state') !== 'closed') return { state: 'open' }
  if (idOf(at(value, 'moved_to_id'))) return { state: 'declined', stateWords: 'closed as moved' }
  if (idOf(at(value, 'duplicated_to_id'))) return { state: 'declined', stateWords: 'closed as duplicate' }
  return { state: declinesByLabels(labels) ? 'declined' : 'done', stateWords: 'closed' }
}
