// GitHub's REST API (docs.github.com/rest/issues), as far as two ways need it: one request at a time, with what GitHub says of its limits.
import { z } from 'zod'
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
  Refusal,
} from './asking.ts'
import { githubDialect, isLater, type State, stateThere } from './rules.ts'
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

export const PAGE = 30
const VERSION = '2022-11-28'

const Id = z.number().transform(String)
const GivenPerson = z.object({ id: Id, login: z.string().max(100) })
const PersonOrNull = GivenPerson.nullish().transform((person) => person ?? undefined)
const Label = z
  .union([z.string(), z.object({ name: z.string() })])
  .transform((label) => (typeof label === 'string' ? label : label.name))
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

const GivenIssue = z.object({
  number: z.int().min(1),
  title: z.string(),
  body: Text,
  state: z.string(),
  state_reason: z.string().nullish(),
  labels: z.array(Label).default([]),
  user: PersonOrNull,
  html_url: z.string().max(500),
  updated_at: z.string(),
  pull_request: z.unknown().optional(),
})
type GivenIssue = z.infer<typeof GivenIssue>

const GivenComment = z.object({
  id: z.int().min(1),
  body: Text,
  user: PersonOrNull,
  html_url: z.string().max(500),
  created_at: z.string(),
  updated_at: z.string(),
})

const commentOf = (json: unknown): Comment => {
  const { id, body, user, html_url: url, created_at: createdAt, updated_at: updatedAt } = GivenComment.parse(json)
  const isEdited = isLater(updatedAt, createdAt)
  return { id: String(id), text: body, user, url, importId: `issuecomment-${id}`, updatedAt, isEdited }
}

const GivenEvent = z.object({
  event: z.string(),
  actor: PersonOrNull,
  created_at: z.string(),
  label: z.object({ name: z.string() }).optional(),
})

const Repository = z.object({ private: z.boolean(), full_name: z.string() })

const changeKinds = {
  renamed: 'title',
  closed: 'state',
  reopened: 'state',
  labeled: 'label',
  unlabeled: 'label',
} as const

function changesIn(json: unknown): IssueChange[] {
  return z
    .array(GivenEvent)
    .parse(json)
    .flatMap(({ event, actor: by, created_at: at, label }) => {
      if (!Object.hasOwn(changeKinds, event)) return []
      const what = changeKinds[event as keyof typeof changeKinds]
      return { what, by, at, ...(label && { label: { name: label.name, isOn: event === 'labeled' } }) }
    })
}

/** docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const limits: Limits = {
  isSpent: ({ status, headers }) =>
    status === 429 ||
    (status === 403 && (header(headers['retry-after']) !== '' || header(headers['x-ratelimit-remaining']) === '0')),
  reset: 'x-ratelimit-reset',
}

export class GitHub implements Service {
  readonly dialect = githubDialect
  readonly #asking: Asking
  readonly #token: string
  readonly #path: string
  readonly #nameKey: string

  constructor(asking: Asking, { token, name }: { token: string; name: string }) {
    this.#asking = asking
    this.#token = token
    this.#nameKey = name.toLowerCase()
    this.#path = `/repos/${name.split('/').map(encodeURIComponent).join('/')}`
  }

  #ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { body, etag = '' }: { body?: object; etag?: string } = {},
  ): Promise<Answer> {
    const headers = {
      ...{ Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': VERSION },
      Authorization: `Bearer ${this.#token}`,
      ...(etag && { 'If-None-Match': etag }),
    }
    const url = `${this.#asking.config.githubApiUrl}${path}`
    return ask(this.#asking, { service: 'GitHub', limits }, { method, url, headers, body })
  }

  async #pages<T>(path: string, read: (json: unknown) => T): Promise<T[]> {
    const all: T[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const answer = await this.#ask('GET', `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}&page=${page}`)
      all.push(...z.array(z.unknown()).parse(answer.json).map(read))
      if (!hasNext(answer)) return all
    }
    throw new Refusal('GitHub', 413, 'more pages than are read')
  }

  readonly #issueOf = (json: unknown): Issue => {
    const given: GivenIssue = GivenIssue.parse(json)
    const {
      number,
      title,
      body: text,
      labels,
      user,
      html_url: url,
      updated_at: updatedAt,
      pull_request: isPull,
    } = given
    // Of this repository, and not transferred.
    const isOf = !isPull && url.toLowerCase().endsWith(`/${this.#nameKey}/issues/${number}`)
    return { number, title, text, state: stateThere(given), labels, user, url, updatedAt, isOf }
  }

  stateOf(state: State): State {
    return state
  }

  async place() {
    const { json } = await this.#ask('GET', this.#path)
    const { private: isPrivate, full_name: name } = Repository.parse(json)
    return { isPrivate, name }
  }

  async self() {
    const place = await this.place()
    return { ...GivenPerson.parse((await this.#ask('GET', '/user')).json), ...place }
  }

  async person(login: string): Promise<Person | undefined> {
    const found = await orGone(this.#ask('GET', `/users/${encodeURIComponent(login)}`))
    return found && GivenPerson.parse(found.json)
  }

  async issue(number: number): Promise<Issue | undefined> {
    const found = await orGone(this.#ask('GET', `${this.#path}/issues/${number}`))
    return found && this.#issueOf(found.json)
  }

  async changed({ since, from = '1', etag = '' }: Parameters<Service['changed']>[0]): Promise<ChangedPage | undefined> {
    const query = new URLSearchParams({
      ...{ state: 'all', sort: 'updated', direction: 'asc', per_page: String(PAGE), page: from },
      ...(since && { since }),
    })
    const answer = await this.#ask('GET', `${this.#path}/issues?${query}`, { etag })
    if (answer.status === 304) return undefined
    const all = z.array(z.unknown()).parse(answer.json).map(this.#issueOf)
    const next = hasNext(answer) && all.length === PAGE ? String(Number(from) + 1) : undefined
    return { issues: all, next, etag: header(answer.headers['etag']) }
  }

  /** Whether an edit of a comment is a change of its issue, GitHub does not say. */
  async commented(since: string): Promise<Set<number>> {
    const query = new URLSearchParams({ sort: 'updated', direction: 'asc', since })
    const GivenPlace = z.object({ issue_url: z.string() })
    const found = await this.#pages(`${this.#path}/issues/comments?${query}`, (json) => GivenPlace.parse(json))
    return new Set(found.map(({ issue_url: url }) => Number(url.split('/').at(-1))).filter((number) => number > 0))
  }

  /** Among what the owner of the token wrote since a moment. */
  async findLost({ login, since, isIt }: LostIssue): Promise<Issue | undefined> {
    const query = new URLSearchParams({ state: 'all', creator: login, since })
    return (await this.#pages(`${this.#path}/issues?${query}`, this.#issueOf)).find(isIt)
  }

  comments(number: number): Promise<Comment[]> {
    return this.#pages(`${this.#path}/issues/${number}/comments`, commentOf)
  }

  async changesOf(number: number): Promise<IssueChange[]> {
    const page = (at: number) => this.#ask('GET', `${this.#path}/issues/${number}/events?per_page=${PAGE}&page=${at}`)
    const first = await page(1)
    const last = lastPageIn(first)
    const pages = last > 2 ? [await page(last - 1), await page(last)] : last === 2 ? [first, await page(2)] : [first]
    return pages.flatMap(({ json }) => changesIn(json)).toReversed()
  }

  async createIssue({ title, text: body }: NewText & { title: string }): Promise<Issue> {
    return this.#issueOf((await this.#ask('POST', `${this.#path}/issues`, { body: { title, body } })).json)
  }

  async updateIssue(number: number, { title, text: body, state }: Partial<IssueFields>): Promise<Issue> {
    const closed = state === 'open' ? { state } : { state: 'closed', state_reason: state }
    const changes = { ...(title !== undefined && { title }), ...(body !== undefined && { body }), ...(state && closed) }
    return this.#issueOf((await this.#ask('PATCH', `${this.#path}/issues/${number}`, { body: changes })).json)
  }

  async createComment(number: number, { text: body }: NewText): Promise<Comment> {
    return commentOf((await this.#ask('POST', `${this.#path}/issues/${number}/comments`, { body: { body } })).json)
  }

  async updateComment(_: number, id: string, body: string): Promise<Comment | undefined> {
    const answer = await orGone(this.#ask('PATCH', `${this.#path}/issues/comments/${id}`, { body: { body } }))
    return answer && commentOf(answer.json)
  }

  async deleteComment(_: number, id: string): Promise<void> {
    await orGone(this.#ask('DELETE', `${this.#path}/issues/comments/${id}`))
  }

  async addLabel(number: number, { name, color }: { name: string; color: string }): Promise<void> {
    const path = `${this.#path}/labels`
    if (!(await orGone(this.#ask('GET', `${path}/${encodeURIComponent(name)}`)))) {
      await this.#ask('POST', path, { body: { name, color: color.replace('#', '') } }).catch((error: unknown) => {
        // Another one made it at this moment.
        if (!(error instanceof Refusal && error.status === 422)) throw error
      })
    }
    await this.#ask('POST', `${this.#path}/issues/${number}/labels`, { body: { labels: [name] } })
  }

  async removeLabel(number: number, name: string): Promise<void> {
    await orGone(this.#ask('DELETE', `${this.#path}/issues/${number}/labels/${encodeURIComponent(name)}`))
  }
}
