// GitLab for tests: a real http server that follows its documented REST API, version 4, of issues, notes, labels and their events
// (docs.gitlab.com/api), and makes the deliveries of its webhooks.
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  type Body,
  bodyIn,
  type GitHubUser,
  type StoredComment,
  type StoredEvent,
  type StoredIssue,
} from './github-repository.ts'
import { FakeProject, person } from './gitlab-project.ts'

type Answer = { status: number; json?: unknown; headers?: Record<string, string> }
interface Call {
  method: string
  path: string
  query: URLSearchParams
  body: Body
  by: GitHubUser
}

const MAX_TITLE = 255
const refusal = (status: number, message: unknown): Answer => ({ status, json: { message } })
const notFound = refusal(404, '404 Not found')
/** A command at the start of a line; what is code or quoted is none. */
const COMMAND = /^\/(close|reopen|title|confidential|label)\b.*$/m

/** A project that is asked by http. */
export class FakeGitLab extends FakeProject {
  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const content = await text(request)
    const { pathname, searchParams: query } = new URL(url, this.url)
    const given = headers['private-token'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const by = this.tokens.get(String(given ?? ''))
    const body = bodyIn(content)
    const answer =
      this.#limited() ??
      (by && body ? this.#answer({ method, path: pathname, query, body, by }) : refusal(401, '401 Unauthorized'))
    this.requests.push({ method, path: url, status: answer.status })
    if (this.losesAnswer && method !== 'GET') {
      this.losesAnswer = false
      response.destroy()
      return
    }
    const json = answer.json === undefined ? '' : JSON.stringify(answer.json)
    const etag = `W/"${hash('sha256', json, 'hex')}"`
    const isSame = method === 'GET' && answer.status === 200 && headers['if-none-match'] === etag
    const sent = { 'Content-Type': 'application/json', ETag: etag, ...answer.headers }
    response.writeHead(isSame ? 304 : answer.status, sent).end(isSame ? undefined : json)
  }

  #limited(): Answer | undefined {
    if (!this.limited) return undefined
    const { kind, seconds } = this.limited
    const reset = String(Math.floor(this.now() / 1000) + seconds)
    const headers: Record<string, string> =
      kind === 'secondary'
        ? { 'Retry-After': String(seconds) }
        : { 'RateLimit-Remaining': '0', 'RateLimit-Reset': reset }
    return { ...refusal(429, 'Retry later'), headers }
  }

  #answer(asked: Call): Answer {
    const { path, query, by } = asked
    if (path === '/user') return { status: 200, json: person(by) }
    if (path === '/users') {
      const found = this.users.get((query.get('username') ?? '').toLowerCase())
      return { status: 200, json: found ? [person(found)] : [] }
    }
    const prefix = `/projects/${encodeURIComponent(this.name)}`.toLowerCase()
    if (!path.toLowerCase().startsWith(prefix)) return notFound
    const rest = path.slice(prefix.length)
    const visibility = this.isPrivate ? 'private' : 'public'
    if (rest === '') return { status: 200, json: { id: 1, path_with_namespace: this.name, visibility } }
    if (rest === '/labels') return this.#makeLabel(asked)
    if (rest === '/issues')
      return asked.method === 'POST' ? this.#create(asked) : this.#page(this.#listed(query), asked)
    const [, iid, more = ''] = /^\/issues\/(\d+)(\/.*)?$/.exec(rest) ?? []
    const issue = this.issues.find(({ number }) => number === Number(iid))
    if (!issue) return notFound
    if (more === '') return this.#ofIssue(issue, asked)
    return this.#below(issue, more, asked)
  }

  #below(issue: StoredIssue, more: string, asked: Call): Answer {
    if (more === '/resource_state_events') {
      const all = issue.events.filter(({ event }) => event === 'closed' || event === 'reopened')
      return this.#page(
        all.map((one) => ({ ...this.#event(one), state: one.event })),
        asked,
      )
    }
    if (more === '/resource_label_events') {
      const all = issue.events.filter(({ label }) => label !== undefined)
      const shown = all.map((one) => ({
        ...this.#event(one),
        action: one.event === 'labeled' ? 'add' : 'remove',
        label: { id: 1, name: one.label?.name },
      }))
      return this.#page(shown, asked)
    }
    if (more === '/notes') return asked.method === 'POST' ? this.#comment(issue, asked) : this.#notes(issue, asked)
    const comment = issue.comments.find(({ id }) => more === `/notes/${id}`)
    if (!comment) return notFound
    if (asked.method === 'DELETE') {
      this.deleteComment(asked.by, issue, comment.id)
      return { status: 204 }
    }
    const body = String(asked.body['body'])
    if (asked.method === 'PUT') this.editComment(asked.by, issue, { id: comment.id, body })
    return { status: 200, json: this.#note(comment) }
  }

  #event = ({ id, actor, created_at }: StoredEvent) => ({ id, user: person(actor), created_at })

  #note = ({ id, body, user, created_at, updated_at }: StoredComment) => ({
    ...{ id, body, author: person(user), created_at, updated_at, noteable_type: 'Issue' },
    ...{ system: false, internal: this.internal.has(id) },
  })

  #notes(issue: StoredIssue, asked: Call): Answer {
    const texts: Record<string, string> = {
      described: 'changed the description',
      renamed: 'changed title from **{-a-}** to **{+b+}**',
    }
    const system = issue.events
      .filter(({ event }) => Object.hasOwn(texts, event))
      .map(({ id, event, actor, created_at: at }) => ({
        ...{ id, body: texts[event], author: person(actor), created_at: at, updated_at: at },
        ...{ system: true, internal: false, noteable_type: 'Issue' },
      }))
    const all = [...system, ...issue.comments.map(this.#note)].toSorted((a, b) => a.id - b.id)
    return this.#page(asked.query.get('sort') === 'asc' ? all : all.toReversed(), asked)
  }

  #comment(issue: StoredIssue, { by, body }: Call): Answer {
    const said = String(body['body'] ?? '')
    if (said.trim() === '') return refusal(400, { note: ["can't be blank"] })
    const command = this.#command(by, issue, said)
    if (command !== undefined && said.replace(command, '').trim() === '')
      return { status: 202, json: { commands_changes: {}, summary: ['Done'] } }
    return { status: 201, json: this.#note(this.commentOn(by, issue, said)) }
  }

  /** Does what a text commands, as its author. */
  #command(by: GitHubUser, issue: StoredIssue, said: string): string | undefined {
    const command = COMMAND.exec(said)?.[0]
    if (command !== undefined) this.update(by, issue, { title: 'Done by a command', state: 'closed' })
    return command
  }

  #create({ by, body }: Call): Answer {
    const { title, description } = body as { title?: string; description?: string }
    const wrong = invalid({ title: title ?? '' })
    if (wrong) return wrong
    const issue = this.create(by, { title: title ?? '', body: description ?? null })
    this.#command(by, issue, description ?? '')
    return { status: 201, json: this.#issue(issue) }
  }

  #ofIssue(issue: StoredIssue, { method, by, body }: Call): Answer {
    if (method === 'PUT') {
      const wrong = invalid(body)
      if (wrong) return wrong
      const { title, description, state_event: event, add_labels: add, remove_labels: remove } = body
      for (const name of namesIn(add)) this.labelIssue(by, issue, name)
      for (const name of namesIn(remove)) this.unlabel(by, issue, name)
      const state = event === 'close' ? { state: 'closed' } : event === 'reopen' ? { state: 'open' } : {}
      this.update(by, issue, {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { body: description }),
        ...state,
      })
      if (typeof description === 'string') this.#command(by, issue, description)
    }
    return { status: 200, json: this.#issue(issue) }
  }

  #issue(issue: StoredIssue): Body {
    const { id, number, title, body, state, labels, user, created_at, updated_at, closed_at } = issue
    return {
      ...{ id, iid: number, project_id: 1, title, description: body, state: state === 'open' ? 'opened' : 'closed' },
      ...{ labels, author: person(user), created_at, updated_at, closed_at, confidential: this.hidden.has(number) },
      web_url: `https://gitlab.com/${this.name}/-/issues/${number}`,
      references: { short: `#${number}`, relative: `#${number}`, full: `${this.name}#${number}` },
      ...{ moved_to_id: null, issue_type: 'issue', user_notes_count: issue.comments.length },
    }
  }

  #makeLabel({ body }: Call): Answer {
    const name = String(body['name'])
    if (!/^#[\da-f]{6}$/i.test(String(body['color']))) return refusal(400, { color: ['must be a valid color code'] })
    if (this.labels.has(name.toLowerCase())) return refusal(409, 'Label already exists')
    this.labels.set(name.toLowerCase(), { name, color: String(body['color']) })
    return { status: 201, json: { id: 1, name } }
  }

  #listed(query: URLSearchParams): Body[] {
    const [after, created] = [query.get('updated_after') ?? '', query.get('created_after') ?? '']
    const by = query.get('order_by') === 'updated_at' ? ('updated_at' as const) : ('created_at' as const)
    const up = query.get('sort') === 'asc' ? 1 : -1
    return this.issues
      .filter((issue) => issue.updated_at >= after && issue.created_at >= created)
      .filter(({ user }) => !query.has('author_username') || user.login === query.get('author_username'))
      .toSorted((a, b) => (a[by] === b[by] ? a.number - b.number : a[by] < b[by] ? -1 : 1) * up)
      .map((issue) => this.#issue(issue))
  }

  #page(all: readonly unknown[], { query, path }: Call): Answer {
    const size = Math.min(Math.max(Number(query.get('per_page') ?? 20), 1), 100)
    const page = Math.max(Number(query.get('page') ?? 1), 1)
    const last = Math.max(1, Math.ceil(all.length / size))
    const link = (to: number, rel: string) => {
      const wanted = new URLSearchParams(query)
      wanted.set('page', String(to))
      return `<${this.url}${path}?${wanted}>; rel="${rel}"`
    }
    const links = [...(page < last ? [link(page + 1, 'next')] : []), link(1, 'first'), link(last, 'last')]
    const next = page < last ? String(page + 1) : ''
    return {
      status: 200,
      json: all.slice((page - 1) * size, page * size),
      headers: { Link: links.join(', '), 'X-Page': String(page), 'X-Next-Page': next, 'X-Per-Page': String(size) },
    }
  }
}

const namesIn = (list: unknown): string[] =>
  typeof list === 'string' ? list.split(',').map((name) => name.trim()) : []

function invalid({ title }: Body): Answer | undefined {
  if (title === undefined) return undefined
  if (typeof title !== 'string' || title.trim() === '') return refusal(400, { title: ["can't be blank"] })
  return title.length > MAX_TITLE ? refusal(400, { title: ['is too long (maximum is 255 characters)'] }) : undefined
}
