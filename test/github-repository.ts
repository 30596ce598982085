// The repository of the GitHub for tests (github.ts): what people do there, and the deliveries of webhooks that follow.
import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GitHubUser {
  id: number
  login: string
  type: 'User'
}

export interface StoredComment {
  id: number
  user: GitHubUser
  body: string
  created_at: string
  updated_at: string
}

export interface StoredEvent {
  id: number
  event: string
  actor: GitHubUser
  created_at: string
  label?: { name: string; color: string }
  rename?: { from: string; to: string }
}

export interface StoredIssue {
  id: number
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  state_reason: string | null
  labels: string[]
  user: GitHubUser
  created_at: string
  updated_at: string
  closed_at: string | null
  comments: StoredComment[]
  events: StoredEvent[]
  pull_request?: object
}

export interface GitHubDelivery {
  event: string
  id: string
  body: string
  signature: string
  /** Of services other than GitHub. */
  headers?: Record<string, string>
}

export type Body = Record<string, unknown>
/** A repository and its people. Every write makes a delivery, signed with `secret`, as the API and the site of GitHub do. */
export abstract class FakeRepository {
  readonly issues: StoredIssue[] = []
  readonly users = new Map<string, GitHubUser>()
  readonly labels = new Map<string, { name: string; color: string }>()
  readonly deliveries: GitHubDelivery[] = []
  readonly requests: { method: string; path: string; status: number }[] = []
  name = 'acme/looms'
  isPrivate = false
  secret = 'not known yet'
  url = ''
  host = ''

  protected abstract serve(request: IncomingMessage, response: ServerResponse): Promise<void>

  /** Listens at a port of its own; the tests do not wait for its end. */
  async start(): Promise<this> {
    const server = createServer((request, response) => void this.serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    this.url = `http://${this.host}`
    server.unref()
    return this
  }

  /** Told of each delivery as it is made; they are kept besides. */
  onDelivery: (delivery: GitHubDelivery) => void = () => {}
  now: () => number = () => Date.now()
  /** The next write is made, and its answer lost. */
  losesAnswer = false
  /** Refuses requests as over the limit: `primary` says when the limit is reset, `secondary` how long to wait. */
  limited: { kind: 'primary' | 'secondary'; seconds: number } | undefined
  ids = 1000
  readonly tokens = new Map<string, GitHubUser>()

  addUser(login: string): GitHubUser {
    const user = { id: ++this.ids, login, type: 'User' as const }
    this.users.set(login.toLowerCase(), user)
    return user
  }

  tokenOf(login: string): string {
    const token = `github_pat_${login}`
    this.tokens.set(token, this.users.get(login.toLowerCase()) ?? this.addUser(login))
    return token
  }

  issue(number: number): StoredIssue {
    const found = this.issues.find((issue) => issue.number === number)
    if (!found) throw new Error(`no issue ${number}`)
    return found
  }

  /** What a person does on the site. */
  act(login: string) {
    const by = this.users.get(login.toLowerCase()) ?? this.addUser(login)
    return {
      open: (title: string, body: string | null = '', labels: string[] = []) =>
        this.create(by, { title, body, labels }),
      edit: (number: number, changes: Body) => this.update(by, this.issue(number), changes),
      comment: (number: number, body: string) => this.commentOn(by, this.issue(number), body),
      editComment: (number: number, id: number, body: string) => this.editComment(by, this.issue(number), { id, body }),
      deleteComment: (number: number, id: number) => this.deleteComment(by, this.issue(number), id),
      label: (number: number, name: string) => this.labelIssue(by, this.issue(number), name),
      unlabel: (number: number, name: string) => this.unlabel(by, this.issue(number), name),
    }
  }

  moment(): string {
    return new Date(Math.floor(this.now() / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  }

  tell(event: string, by: GitHubUser, more: Body): void {
    const repository = { id: 1, name: this.name.split('/')[1], full_name: this.name, private: this.isPrivate }
    const body = JSON.stringify({ ...more, repository, sender: by })
    const signature = `sha256=${createHmac('sha256', this.secret).update(body).digest('hex')}`
    const delivery = { event, id: randomUUID(), body, signature }
    this.deliveries.push(delivery)
    this.onDelivery(delivery)
  }

  create(
    by: GitHubUser,
    { title, body = null, labels = [] }: { title: string; body?: string | null; labels?: string[] },
  ): StoredIssue {
    const moment = this.moment()
    const times = { created_at: moment, updated_at: moment, closed_at: null }
    const issue: StoredIssue = {
      ...{ id: ++this.ids, number: this.issues.length + 1, title, body, user: by, ...times },
      ...{ state: 'open', state_reason: null, labels: [], comments: [], events: [] },
    }
    this.issues.push(issue)
    this.tell('issues', by, { action: 'opened', issue: this.shown(issue) })
    for (const label of labels) this.labelIssue(by, issue, label)
    return issue
  }

  note(issue: StoredIssue, by: GitHubUser, event: string, more: Partial<StoredEvent> = {}): void {
    issue.events.push({ id: ++this.ids, event, actor: by, created_at: this.moment(), ...more })
    issue.updated_at = this.moment()
  }

  update(by: GitHubUser, issue: StoredIssue, { title, body, state, state_reason: reason }: Body): StoredIssue {
    const changes: Body = {}
    if (typeof title === 'string' && title !== issue.title) {
      changes['title'] = { from: issue.title }
      this.note(issue, by, 'renamed', { rename: { from: issue.title, to: title } })
      issue.title = title
    }
    if (body !== undefined && body !== issue.body) {
      changes['body'] = { from: issue.body }
      issue.body = body as string | null
      issue.updated_at = this.moment()
    }
    if (Object.keys(changes).length > 0)
      this.tell('issues', by, { action: 'edited', issue: this.shown(issue), changes })
    if (state === undefined || (state === issue.state && (reason === undefined || reason === issue.state_reason)))
      return issue
    issue.state = state as StoredIssue['state']
    issue.state_reason = state === 'open' ? 'reopened' : String(reason ?? 'completed')
    issue.closed_at = state === 'open' ? null : this.moment()
    const action = state === 'open' ? 'reopened' : 'closed'
    this.note(issue, by, action)
    this.tell('issues', by, { action, issue: this.shown(issue) })
    return issue
  }

  labelIssue(by: GitHubUser, issue: StoredIssue, name: string): void {
    const label = this.labels.get(name.toLowerCase()) ?? { name, color: 'ededed' }
    this.labels.set(name.toLowerCase(), label)
    if (issue.labels.some((one) => one.toLowerCase() === name.toLowerCase())) return
    issue.labels.push(label.name)
    this.note(issue, by, 'labeled', { label })
    this.tell('issues', by, { action: 'labeled', issue: this.shown(issue), label })
  }

  unlabel(by: GitHubUser, issue: StoredIssue, name: string): boolean {
    const at = issue.labels.findIndex((one) => one.toLowerCase() === name.toLowerCase())
    if (at < 0) return false
    const [found = ''] = issue.labels.splice(at, 1)
    const label = this.labels.get(found.toLowerCase()) ?? { name: found, color: 'ededed' }
    this.note(issue, by, 'unlabeled', { label })
    this.tell('issues', by, { action: 'unlabeled', issue: this.shown(issue), label })
    return true
  }

  commentOn(by: GitHubUser, issue: StoredIssue, body: string): StoredComment {
    const moment = this.moment()
    const comment = { id: ++this.ids, user: by, body, created_at: moment, updated_at: moment }
    issue.comments.push(comment)
    issue.updated_at = moment
    this.tell('issue_comment', by, {
      action: 'created',
      issue: this.shown(issue),
      comment: this.shownComment(issue, comment),
    })
    return comment
  }

  editComment(
    by: GitHubUser,
    issue: StoredIssue,
    { id, body }: { id: number; body: string },
  ): StoredComment | undefined {
    const comment = issue.comments.find((one) => one.id === id)
    if (!comment || comment.body === body) return comment
    const changes = { body: { from: comment.body } }
    Object.assign(comment, { body, updated_at: this.moment() })
    this.tell('issue_comment', by, {
      action: 'edited',
      issue: this.shown(issue),
      comment: this.shownComment(issue, comment),
      changes,
    })
    return comment
  }

  deleteComment(by: GitHubUser, issue: StoredIssue, id: number): boolean {
    const at = issue.comments.findIndex((one) => one.id === id)
    const [comment] = at < 0 ? [] : issue.comments.splice(at, 1)
    if (!comment) return false
    this.tell('issue_comment', by, {
      action: 'deleted',
      issue: this.shown(issue),
      comment: this.shownComment(issue, comment),
    })
    return true
  }

  shown({ events: _, comments, labels, ...issue }: StoredIssue): Body {
    return {
      ...issue,
      url: `${this.url}/repos/${this.name}/issues/${issue.number}`,
      html_url: `https://github.com/${this.name}/issues/${issue.number}`,
      labels: labels.map((name) => this.labels.get(name.toLowerCase()) ?? { name, color: 'ededed' }),
      comments: comments.length,
      locked: false,
      assignees: [],
      closed_by: issue.state === 'closed' ? issue.user : null,
    }
  }

  shownComment({ number }: StoredIssue, comment: StoredComment): Body {
    return {
      ...comment,
      url: `${this.url}/repos/${this.name}/issues/comments/${comment.id}`,
      html_url: `https://github.com/${this.name}/issues/${number}#issuecomment-${comment.id}`,
      issue_url: `${this.url}/repos/${this.name}/issues/${number}`,
    }
  }
}

/** Since when something is asked for: whole seconds. */
export const sinceIn = (query: URLSearchParams): string => {
  const since = query.get('since')
  return since === null ? '' : new Date(Math.floor(Date.parse(since) / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

/** The JSON of a request; undefined for none. */
export function bodyIn(content: string): Body | undefined {
  try {
    return content === '' ? {} : (JSON.parse(content) as Body)
  } catch {
    return undefined
  }
}
