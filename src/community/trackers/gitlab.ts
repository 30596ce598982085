// GitLab's REST API, version 4 (docs.gitlab.com/api/issues), as far as two ways need it. What is confidential or internal does not go across.
import { z } from 'zod'
import { required } from '../../runtime/untyped.ts'
import {
  type Answer,
  type Asking,
  ask,
  hasNext,
  header,
  type Limits,
  lastPageIn,
  MAX_PAGES,
  orGone,
  type Question,
  Refusal,
  TooLong,
} from './asking.ts'
import { gitlabDialect, isLater, type State } from './rules.ts'
import type {
  ChangedPage,
  Comment,
  Issue,
  IssueChange,
  IssueFields,
  LostIssue,
  NewText,
  Person,
  Service,
} from './service.ts'

const PAGE = 50
const MAX_LOGIN = 100

const Id = z.int().min(1).transform(String)
const GivenPerson = z
  .object({ id: Id, username: z.string().max(300) })
  .transform(({ id, username }) => ({ id, login: username.slice(0, MAX_LOGIN) }))
const PersonOrNull = GivenPerson.nullish().transform((person) => person ?? undefined)
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

const GivenIssue = z.object({
  iid: z.int().min(1),
  title: z.string(),
  description: Text,
  state: z.string(),
  labels: z.array(z.string()).default([]),
  author: PersonOrNull,
  web_url: z.string().max(1_000),
  updated_at: z.string(),
  confidential: z.boolean().nullish(),
  moved_to_id: z.number().nullish(),
  references: z.object({ full: z.string() }),
})

const GivenNote = z.object({
  id: Id,
  body: Text,
  author: PersonOrNull,
  created_at: z.string(),
  updated_at: z.string(),
  system: z.boolean().default(false),
  internal: z.boolean().nullish(),
  confidential: z.boolean().nullish(),
})
type GivenNote = z.infer<typeof GivenNote>

const GivenEvent = z.object({
  user: PersonOrNull,
  created_at: z.string(),
  action: z.string().optional(),
  label: z.object({ name: z.string() }).nullish(),
})

const Project = z.object({ path_with_namespace: z.string(), visibility: z.string() })

/** What notes of the system say of title and text, which have no events. */
const changedTitle = /^changed title from /
const changedText = /^changed the description/

/** docs.gitlab.com/security/rate_limits: with `Retry-After`, as its proxies answer too. */
const limits: Limits = {
  isSpent: ({ status }) => status === 429,
  reset: 'ratelimit-reset',
}

export class GitLab implements Service {
  readonly dialect = gitlabDialect
  readonly #asking: Asking
  readonly #token: string
  readonly #path: string
  readonly #nameKey: string

  constructor(asking: Asking, { token, name }: { token: string; name: string }) {
    this.#asking = asking
    this.#token = token
    this.#nameKey = name.toLowerCase()
    this.#path = `/projects/${encodeURIComponent(name)}`
  }

  #ask(
    method: Question['method'],
    path: string,
    { body, etag = '' }: { body?: object; etag?: string } = {},
  ): Promise<Answer> {
    const headers = {
      ...{ Accept: 'application/json', 'PRIVATE-TOKEN': this.#token },
      ...(etag && { 'If-None-Match': etag }),
    }
    const url = `${this.#asking.config.gitlabApiUrl}${path}`
    return ask(this.#asking, { service: 'GitLab', limits }, { method, url, headers, body })
  }

  /** A page of a list. A text may have a million characters: entries come one by one where they do not come together. */
  async #page<T>(path: string, { page, read, etag = '' }: { page: number; read: (json: unknown) => T; etag?: string }) {
    const ask = (size: number, at: number, given = {}) =>
      this.#ask('GET', `${path}${path.includes('?') ? '&' : '?'}per_page=${size}&page=${at}`, given)
    const entries = ({ json }: Answer) => z.array(z.unknown()).parse(json).map(read)
    try {
      const answer = await ask(PAGE, page, { etag })
      const items = answer.status === 304 ? [] : entries(answer)
      return { answer, items, next: hasNext(answer), etag: header(answer.headers['etag']) }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
    }
    const items: T[] = []
    let answer: Answer | undefined
    for (let at = (page - 1) * PAGE + 1; at <= page * PAGE; at++) {
      answer = await ask(1, at)
      items.push(...entries(answer))
      if (!hasNext(answer)) break
    }
    return { answer: required(answer), items, next: hasNext(required(answer)), etag: '' }
  }

  async #pages<T>(path: string, read: (json: unknown) => T): Promise<T[]> {
    const all: T[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { items, next } = await this.#page(path, { page, read })
      all.push(...items)
      if (!next) return all
    }
    throw new Refusal('GitLab', 413, 'more pages than are read')
  }

  /** The last entries of a list whose oldest come first. */
  async #lastOf<T>(path: string, read: (json: unknown) => T): Promise<T[]> {
    const first = await this.#page(path, { page: 1, read })
    const last = lastPageIn(first.answer)
    if (last <= 1) return first.items
    const [before, end] = [
      last === 2 ? first : await this.#page(path, { page: last - 1, read }),
      await this.#page(path, { page: last, read }),
    ]
    return [...before.items, ...end.items]
  }

  readonly #issueOf = (json: unknown): Issue => {
    const given = GivenIssue.parse(json)
    const { iid: number, title, description: text, labels, author: user, web_url: url, updated_at: updatedAt } = given
    const isMoved = given.moved_to_id != null || given.references.full.toLowerCase() !== `${this.#nameKey}#${number}`
    const state = given.state === 'closed' ? 'completed' : 'open'
    return { number, title, text, state, labels, user, url, updatedAt, isOf: !given.confidential && !isMoved }
  }

  readonly #commentOf = (note: GivenNote, number: number): Comment => {
    const { id, body: text, author: user, created_at: createdAt, updated_at: updatedAt } = note
    const url = `${new URL(this.#asking.config.gitlabApiUrl).origin}/${this.#nameKey}/-/issues/${number}#note_${id}`
    return { id, text, user, updatedAt, importId: id, url, isEdited: isLater(updatedAt, createdAt) }
  }

  /** Its issues are open or closed, without a reason. */
  stateOf(state: State): State {
    return state === 'open' ? 'open' : 'completed'
  }

  async place() {
    const { json } = await this.#ask('GET', this.#path)
    const { path_with_namespace: name, visibility } = Project.parse(json)
    return { isPrivate: visibility === 'private', name }
  }

  async self() {
    const place = await this.place()
    return { ...GivenPerson.parse((await this.#ask('GET', '/user')).json), ...place }
  }

  async person(login: string): Promise<Person | undefined> {
    const { json } = await this.#ask('GET', `/users?${new URLSearchParams({ username: login })}`)
    return z.array(GivenPerson).parse(json)[0]
  }

  async issue(number: number): Promise<Issue | undefined> {
    const found = await orGone(this.#ask('GET', `${this.#path}/issues/${number}`))
    return found && this.#issueOf(found.json)
  }

  async changed({ since, from = '1', etag = '' }: Parameters<Service['changed']>[0]): Promise<ChangedPage | undefined> {
    const query = new URLSearchParams({
      ...{ scope: 'all', order_by: 'updated_at', sort: 'asc' },
      ...(since && { updated_after: since }),
    })
    const page = Number(from)
    const found = await this.#page(`${this.#path}/issues?${query}`, {
      page,
      etag,
      read: this.#issueOf,
    })
    if (found.answer.status === 304) return undefined
    return { issues: found.items, next: found.next ? String(page + 1) : undefined, etag: found.etag }
  }

  /** A note that is written or edited is a change of its issue. */
  commented(): Promise<Set<number>> {
    return Promise.resolve(new Set())
  }

  /** Among what the owner of the token wrote since a moment. */
  async findLost({ login, since, isIt }: LostIssue): Promise<Issue | undefined> {
    const query = new URLSearchParams({ scope: 'all', author_username: login, created_after: since })
    return (await this.#pages(`${this.#path}/issues?${query}`, this.#issueOf)).find(isIt)
  }

  async comments(number: number): Promise<Comment[]> {
    const path = `${this.#path}/issues/${number}/notes?sort=asc&order_by=created_at`
    const notes = await this.#pages(path, (json) => GivenNote.parse(json))
    return notes
      .filter(({ system, internal, confidential }) => !system && !internal && !confidential)
      .map((note) => this.#commentOf(note, number))
  }

  async changesOf(number: number): Promise<IssueChange[]> {
    const path = `${this.#path}/issues/${number}`
    const { items: notes } = await this.#page(`${path}/notes?sort=desc&order_by=created_at`, {
      page: 1,
      read: (json) => GivenNote.parse(json),
    })
    const texts = notes.flatMap(({ system, body, author: by, created_at: at }): IssueChange[] => {
      if (!system) return []
      if (changedTitle.test(body)) return [{ what: 'title', by, at }]
      return changedText.test(body) ? [{ what: 'text', by, at }] : []
    })
    const states = await this.#lastOf(`${path}/resource_state_events`, (json): IssueChange => {
      const { user: by, created_at: at } = GivenEvent.parse(json)
      return { what: 'state', by, at }
    })
    const labels = await this.#lastOf(`${path}/resource_label_events`, (json): IssueChange => {
      const { user: by, created_at: at, action, label } = GivenEvent.parse(json)
      return { what: 'label', by, at, ...(label && { label: { name: label.name, isOn: action === 'add' } }) }
    })
    return [...texts, ...[...states, ...labels].toReversed()].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  }

  async createIssue({ title, text: description }: NewText & { title: string }): Promise<Issue> {
    return this.#issueOf((await this.#ask('POST', `${this.#path}/issues`, { body: { title, description } })).json)
  }

  async updateIssue(number: number, { title, text, state }: Partial<IssueFields>): Promise<Issue> {
    const body = {
      ...(title !== undefined && { title }),
      ...(text !== undefined && { description: text }),
      ...(state && { state_event: state === 'open' ? 'reopen' : 'close' }),
    }
    return this.#issueOf((await this.#ask('PUT', `${this.#path}/issues/${number}`, { body })).json)
  }

  async createComment(number: number, { text: body }: NewText): Promise<Comment> {
    const { json } = await this.#ask('POST', `${this.#path}/issues/${number}/notes`, { body: { body } })
    return this.#commentOf(GivenNote.parse(json), number)
  }

  async updateComment(number: number, id: string, body: string): Promise<Comment | undefined> {
    const answer = await orGone(this.#ask('PUT', `${this.#path}/issues/${number}/notes/${id}`, { body: { body } }))
    return answer && this.#commentOf(GivenNote.parse(answer.json), number)
  }

  async deleteComment(number: number, id: string): Promise<void> {
    await orGone(this.#ask('DELETE', `${this.#path}/issues/${number}/notes/${id}`))
  }

  /** No label there has a comma in its name: it parts names. */
  async addLabel(number: number, { name, color }: { name: string; color: string }): Promise<void> {
    if (name.includes(',')) return
    await this.#ask('POST', `${this.#path}/labels`, { body: { name, color } }).catch((error: unknown) => {
      if (!(error instanceof Refusal && [400, 403, 409].includes(error.status))) throw error
    })
    await this.#ask('PUT', `${this.#path}/issues/${number}`, { body: { add_labels: name } })
  }

  async removeLabel(number: number, name: string): Promise<void> {
    await orGone(this.#ask('PUT', `${this.#path}/issues/${number}`, { body: { remove_labels: name } }))
  }
}
