// Linear for tests: a real http server with the part of its published GraphQL schema that two ways need, answered by the reference implementation
// of GraphQL, and the deliveries of its webhooks (linear.app/developers). Texts get its own form of Markdown, without comments of HTML.
import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { GraphQLError, graphql } from 'graphql'
import {
  type Body,
  bodyIn,
  FakeRepository,
  type GitHubUser,
  type StoredComment,
  type StoredEvent,
  type StoredIssue,
} from './github-repository.ts'
import { schema } from './linear-schema.ts'

const states = [
  { id: 's-done', name: 'Done', type: 'completed', position: 4 },
  { id: 's-todo', name: 'Todo', type: 'unstarted', position: 2 },
  { id: 's-backlog', name: 'Backlog', type: 'backlog', position: 1 },
  { id: 's-doing', name: 'In Progress', type: 'started', position: 3 },
  { id: 's-duplicate', name: 'Duplicate', type: 'canceled', position: 6 },
  { id: 's-canceled', name: 'Canceled', type: 'canceled', position: 5 },
]
const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const MAX_TITLE = 512

interface Page {
  first?: number
  after?: string | null
}
interface Filter {
  id?: { eq: string }
  number?: { eq: number }
  team?: { key?: { eq: string } }
  updatedAt?: { gte: string }
  issue?: Filter
}

const person = ({ id, login }: GitHubUser) => ({ id: `u${id}`, name: login, displayName: login })

/** Its own form of a text. */
const formed = (given: string) =>
  given
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^- /gm, '* ')
    .trim()

function wrong(message: string): never {
  throw new GraphQLError(message, { extensions: { code: 'INPUT_ERROR', type: 'invalid input' } })
}

/** A team that is asked by http. */
export class FakeLinear extends FakeRepository {
  override name = 'LOOM'
  readonly #uuids = new Map<number, string>()

  override async start(): Promise<this> {
    await super.start()
    this.url += '/graphql'
    return this
  }

  override moment(): string {
    return new Date(this.now()).toISOString()
  }

  override create(by: GitHubUser, given: { title: string; body?: string | null; labels?: string[] }): StoredIssue {
    return super.create(by, { ...given, body: formed(given.body ?? '') })
  }

  override update(by: GitHubUser, issue: StoredIssue, changes: Body): StoredIssue {
    const body = typeof changes['body'] === 'string' ? formed(changes['body']) : undefined
    if (body !== undefined && body !== issue.body) this.note(issue, by, 'described')
    return super.update(by, issue, { ...changes, ...(body !== undefined && { body }) })
  }

  override commentOn(by: GitHubUser, issue: StoredIssue, body: string): StoredComment {
    return super.commentOn(by, issue, formed(body))
  }

  override editComment(by: GitHubUser, issue: StoredIssue, { id, body }: { id: number; body: string }) {
    return super.editComment(by, issue, { id, body: formed(body) })
  }

  override tell(event: string, by: GitHubUser, more: Body): void {
    const { issue, comment, changes = {} } = more as Record<string, Body | undefined>
    const actions: Record<string, string> = { opened: 'create', created: 'create', deleted: 'remove' }
    const identifier = `${this.name}-${String(issue?.['number'])}`
    const about = comment ?? issue
    const body = JSON.stringify({
      action: actions[String(more['action'])] ?? 'update',
      type: event === 'issue_comment' ? 'Comment' : 'Issue',
      actor: { ...person(by), type: 'user' },
      createdAt: this.moment(),
      data: {
        id: this.uuidOf(about as { id: number } | undefined),
        ...(comment ? { issue: { identifier } } : { identifier }),
      },
      updatedFrom: Object.hasOwn(changes, 'body') ? { description: 'before' } : {},
      url: `https://linear.app/acme/issue/${identifier}`,
      webhookTimestamp: this.now(),
    })
    const id = randomUUID()
    this.deliveries.push({ event, id, body, signature: '', headers: this.sign(body, { id }) })
    this.onDelivery(this.deliveries.at(-1)!)
  }

  /** As the webhook sends it. */
  sign(body: string, { secret = this.secret, id = randomUUID() as string } = {}): Record<string, string> {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    return { 'Linear-Delivery': id, 'Linear-Event': 'Issue', 'Linear-Signature': signature }
  }

  uuidOf(thing: { id: number } | undefined): string {
    const id = thing?.id ?? 0
    const known = this.#uuids.get(id) ?? randomUUID()
    this.#uuids.set(id, known)
    return known
  }

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = bodyIn(await text(request)) as { query?: string; variables?: Body } | undefined
    const token = String(request.headers.authorization ?? '').replace(/^Bearer /, '')
    const by = this.tokens.get(token)
    const isMutation = /^\s*mutation/.test(body?.query ?? '')
    const { status, json, headers = {} } = await this.#answer(by, body ?? {})
    this.requests.push({ method: isMutation ? 'POST' : 'GET', path: body?.query ?? '', status })
    if (this.losesAnswer && isMutation) {
      this.losesAnswer = false
      response.destroy()
      return
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(json))
  }

  async #answer(
    by: GitHubUser | undefined,
    { query = '', variables = {} }: { query?: string; variables?: Body },
  ): Promise<{ status: number; json: unknown; headers?: Record<string, string> }> {
    const failed = (message: string, code: string) => ({ errors: [{ message, extensions: { code } }] })
    if (this.limited) {
      const reset = String(this.now() + this.limited.seconds * 1000)
      if (this.limited.kind === 'primary')
        return {
          status: 400,
          json: failed('Rate limit exceeded', 'RATELIMITED'),
          headers: { 'X-RateLimit-Requests-Reset': reset },
        }
      return { status: 429, json: {}, headers: { 'Retry-After': String(this.limited.seconds) } }
    }
    if (!by) return { status: 401, json: failed('Authentication required, not authenticated', 'AUTHENTICATION_ERROR') }
    const rootValue = { ...this.#queries(by), ...this.#mutations(by) }
    const json = await graphql({ schema, source: query, variableValues: variables, rootValue })
    return { status: json.data ? 200 : 400, json }
  }

  #queries(by: GitHubUser) {
    return {
      viewer: () => person(by),
      teams: ({ filter }: { filter: { key?: { eq: string } } }) => ({
        nodes: filter.key?.eq === this.name ? [this.#team()] : [],
      }),
      users: ({ filter }: { filter: { displayName: { eq: string } } }) => ({
        nodes: [...this.users.values()].filter(({ login }) => login === filter.displayName.eq).map(person),
      }),
      issueLabels: ({ filter }: { filter: { name: { eqIgnoreCase: string } } }) => ({
        nodes: [...this.labels.values()]
          .filter(({ name }) => name.toLowerCase() === filter.name.eqIgnoreCase.toLowerCase())
          .map((label) => this.#label(label.name)),
      }),
      issues: ({ filter, orderBy, ...page }: Page & { filter: Filter; orderBy?: string }) => {
        const sort = orderBy === 'updatedAt' ? ('updated_at' as const) : ('created_at' as const)
        const all = this.issues
          .filter((issue) => this.#matches(issue, filter))
          .toSorted((a, b) => byMoment(a[sort], b[sort]))
        return paged(all.map(this.#issue), page)
      },
      comments: ({ filter, ...page }: Page & { filter: Filter }) => {
        const all = this.issues
          .filter((issue) => !filter.issue || this.#matches(issue, filter.issue))
          .flatMap((issue) => issue.comments.map((comment) => ({ issue, comment })))
          .filter(({ comment }) => !filter.id || this.uuidOf(comment) === filter.id.eq)
          .filter(({ comment }) => comment.updated_at >= (filter.updatedAt?.gte ?? ''))
          .toSorted((a, b) => byMoment(a.comment.created_at, b.comment.created_at))
        return paged(
          all.map(({ issue, comment }) => this.#comment(issue, comment)),
          page,
        )
      },
    }
  }

  #matches(issue: StoredIssue, { id, number, team, updatedAt }: Filter): boolean {
    const isOfTeam = team?.key === undefined || team.key.eq === this.name
    const isIt = (!id || this.uuidOf(issue) === id.eq) && (!number || issue.number === number.eq)
    return isOfTeam && isIt && issue.updated_at >= (updatedAt?.gte ?? '')
  }

  #mutations(by: GitHubUser) {
    const done = (issue: StoredIssue) => ({ success: true, issue: this.#issue(issue) })
    return {
      issueCreate: ({ input: { id, teamId, title = '', description = '' } }: { input: Record<string, string> }) => {
        if (teamId !== 'team-1') wrong('Entity not found: Team')
        this.#checkNew(id, this.issues)
        checkTitle(title)
        const issue = this.create(by, { title, body: description })
        this.#uuids.set(issue.id, id ?? randomUUID())
        return done(issue)
      },
      issueUpdate: ({ id, input: { title, description, stateId } }: { id: string; input: Record<string, string> }) => {
        const issue = this.#byId(id)
        if (title !== undefined) checkTitle(title)
        const { type = '' } = states.find((state) => state.id === stateId) ?? {}
        const reason = type === 'completed' ? 'completed' : 'not_planned'
        const closed = ['completed', 'canceled'].includes(type)
          ? { state: 'closed', state_reason: reason }
          : { state: 'open' }
        return done(
          this.update(by, issue, {
            ...(title !== undefined && { title }),
            ...(description !== undefined && { body: description }),
            ...(stateId !== undefined && closed),
          }),
        )
      },
      issueAddLabel: ({ id, labelId }: { id: string; labelId: string }) => {
        const issue = this.#byId(id)
        this.labelIssue(by, issue, labelId.replace('label-', ''))
        return done(issue)
      },
      issueRemoveLabel: ({ id, labelId }: { id: string; labelId: string }) => {
        const issue = this.#byId(id)
        this.unlabel(by, issue, labelId.replace('label-', ''))
        return done(issue)
      },
      issueLabelCreate: ({ input: { name = '', color = '' } }: { input: Record<string, string> }) => {
        if (this.labels.has(name.toLowerCase())) wrong('duplicate label name')
        if (!/^#[\da-f]{6}$/i.test(color)) wrong('color must be hex')
        this.labels.set(name.toLowerCase(), { name, color })
        return { success: true, issueLabel: this.#label(name) }
      },
      ...this.#commentMutations(by),
    }
  }

  #commentMutations(by: GitHubUser) {
    return {
      commentCreate: ({ input: { id, issueId = '', body = '' } }: { input: Record<string, string> }) => {
        this.#checkNew(
          id,
          this.issues.flatMap(({ comments }) => comments),
        )
        if (body.trim() === '') wrong('body should not be empty')
        const issue = this.#byId(issueId)
        const comment = this.commentOn(by, issue, body)
        this.#uuids.set(comment.id, id ?? randomUUID())
        return { success: true, comment: this.#comment(issue, comment) }
      },
      commentUpdate: ({ id, input: { body = '' } }: { id: string; input: Record<string, string> }) => {
        const { issue, comment } = this.#commentById(id)
        this.editComment(by, issue, { id: comment.id, body })
        return { success: true, comment: this.#comment(issue, comment) }
      },
      commentDelete: ({ id }: { id: string }) => {
        const { issue, comment } = this.#commentById(id)
        this.deleteComment(by, issue, comment.id)
        return { success: true, entityId: id }
      },
    }
  }

  #checkNew(id: string | undefined, all: readonly { id: number }[]): void {
    if (id === undefined) return
    if (!UUID4.test(id)) wrong('id must be a UUID')
    if (all.some((one) => this.uuidOf(one) === id)) wrong('Entity already exists')
  }

  #byId(id: string): StoredIssue {
    const found = this.issues.find((issue) => this.uuidOf(issue) === id || `${this.name}-${issue.number}` === id)
    return found ?? wrong('Entity not found: Issue')
  }

  #commentById(id: string) {
    for (const issue of this.issues) {
      const comment = issue.comments.find((one) => this.uuidOf(one) === id)
      if (comment) return { issue, comment }
    }
    return wrong('Entity not found: Comment')
  }

  #team = () => ({ id: 'team-1', key: this.name, name: 'Looms', states: { nodes: states } })

  #label = (name: string) => ({ id: `label-${name}`, name, color: '#336699', team: null })

  #issue = (issue: StoredIssue) => {
    const { number, title, body: description, labels, user, created_at: createdAt, updated_at: updatedAt } = issue
    const identifier = `${this.name}-${number}`
    return {
      ...{ id: this.uuidOf(issue), identifier, number, title, description, createdAt, updatedAt, trashed: null },
      ...{ creator: person(user), team: this.#team(), state: stateOf(issue.state, issue.state_reason) },
      ...{ url: `https://linear.app/acme/issue/${identifier}/x`, labels: { nodes: labels.map(this.#label) } },
      history: { nodes: issue.events.map(this.#history).toReversed().slice(0, 50) },
    }
  }

  #history = ({ id, event, actor, created_at: createdAt, label, rename }: StoredEvent) => ({
    ...{ id, createdAt, actor: person(actor), updatedDescription: event === 'described' || null },
    ...(rename && { fromTitle: rename.from, toTitle: rename.to }),
    ...((event === 'closed' || event === 'reopened') && { fromState: states[1], toState: states[0] }),
    ...(event === 'labeled' && label && { addedLabels: [this.#label(label.name)] }),
    ...(event === 'unlabeled' && label && { removedLabels: [this.#label(label.name)] }),
  })

  #comment = (issue: StoredIssue, comment: StoredComment) => ({
    ...{ id: this.uuidOf(comment), body: comment.body, user: person(comment.user), issue: this.#issue(issue) },
    ...{ createdAt: comment.created_at, updatedAt: comment.updated_at },
    url: `https://linear.app/acme/issue/${this.name}-${issue.number}/x#comment-${this.uuidOf(comment).slice(0, 8)}`,
  })
}

const byMoment = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1)

const stateOf = (state: string, reason: string | null) => {
  const type = state === 'open' ? 'unstarted' : reason === 'completed' ? 'completed' : 'canceled'
  return states.find((one) => one.type === type)
}

function checkTitle(title: string): void {
  if (title.trim() === '' || title.length > MAX_TITLE) wrong('title is not valid')
}

function paged<T>(all: readonly T[], { first = 50, after }: Page) {
  if (first > 250) wrong('first should not be greater than 250')
  const begin = after ? Number(after) : 0
  const end = begin + first
  return { nodes: all.slice(begin, end), pageInfo: { hasNextPage: end < all.length, endCursor: String(end) } }
}
