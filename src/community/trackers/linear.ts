// Linear's GraphQL API (linear.app/developers/graphql), as far as two ways need it. The place is a team, and an issue is `KEY-12`. What is made has
// an id that we choose: what an attempt made is found by it.
import { z } from 'zod'
import { type Asking, ask, MAX_PAGES, Refusal } from './asking.ts'
import {
  COMMENT,
  changesIn,
  commentOf,
  errorsIn,
  GivenIssue,
  GivenPerson,
  GivenTeam,
  HISTORY,
  ISSUE,
  Labels,
  limits,
  PAGE_INFO,
  pageOf,
} from './linear-answers.ts'
import { linearDialect, type State } from './rules.ts'
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

const PAGE = 100
/** Of what has few fields. */
const LONG_PAGE = 250

/** Among states of a type the first one, as people see them. */
const wantedTypes: Record<State, readonly string[]> = {
  open: ['unstarted', 'backlog', 'started', 'triage'],
  completed: ['completed'],
  not_planned: ['canceled'],
}

export class Linear implements Service {
  readonly dialect = linearDialect
  readonly #asking: Asking
  readonly #token: string
  readonly #key: string
  #team: Promise<GivenTeam> | undefined

  constructor(asking: Asking, { token, name }: { token: string; name: string }) {
    this.#asking = asking
    this.#token = token
    this.#key = name.toUpperCase()
  }

  async #ask<T>(query: string, variables: object, schema: z.ZodType<T>): Promise<T> {
    // Keys of a person are sent as they are.
    const authorization = this.#token.startsWith('lin_api_') ? this.#token : `Bearer ${this.#token}`
    const { json } = await ask(
      this.#asking,
      { service: 'Linear', limits },
      {
        ...{ method: 'POST', url: this.#asking.config.linearApiUrl, body: { query, variables } },
        headers: { Accept: 'application/json', Authorization: authorization },
      },
    )
    const [error] = errorsIn(json)
    if (error) {
      const status = error.extensions?.code === 'AUTHENTICATION_ERROR' ? 401 : 400
      throw new Refusal('Linear', status, error.message.slice(0, 200))
    }
    return z.object({ data: schema }).parse(json).data
  }

  readonly #issueOf = (json: unknown): Issue => {
    const given = GivenIssue.parse(json)
    const { id: madeAs, number, title, description: text, state, labels, creator: user, url, updatedAt } = given
    const isOf = !given.trashed && given.identifier === `${this.#key}-${number}`
    const names = labels.nodes.map(({ name }) => name)
    return { number, title, text, state, labels: names, user, url, updatedAt, madeAs, isOf }
  }

  async #found(filter: object, fields: string): Promise<unknown> {
    const query = `query ($filter: IssueFilter) { issues(filter: $filter, first: 1, includeArchived: true) { nodes { ${fields} } } }`
    const schema = z.object({ issues: z.object({ nodes: z.array(z.unknown()) }) })
    return (await this.#ask(query, { filter }, schema)).issues.nodes[0]
  }

  #of(number: number): object {
    return { team: { key: { eq: this.#key } }, number: { eq: number } }
  }

  #identifier(number: number): string {
    return `${this.#key}-${number}`
  }

  /** With its states; read once. */
  #teamOnce(): Promise<GivenTeam> {
    this.#team ??= this.#readTeam()
    return this.#team
  }

  async #readTeam(): Promise<GivenTeam> {
    const query =
      'query ($key: String!) { teams(filter: { key: { eq: $key } }, first: 1) { nodes { id key states(first: 100) { nodes { id type position } } } } }'
    const schema = z.object({ teams: z.object({ nodes: z.array(GivenTeam) }) })
    const [team] = (await this.#ask(query, { key: this.#key }, schema)).teams.nodes
    if (!team) throw new Refusal('Linear', 404, 'no such team')
    return team
  }

  stateOf(state: State): State {
    return state
  }

  /** Who is no member of a workspace reads nothing of it. */
  async place() {
    const { key: name } = await this.#readTeam()
    return { isPrivate: true, name }
  }

  async self() {
    const schema = z.object({ viewer: GivenPerson })
    const { viewer } = await this.#ask('query { viewer { id displayName } }', {}, schema)
    return { ...viewer, ...(await this.place()) }
  }

  async person(login: string): Promise<Person | undefined> {
    const query =
      'query ($login: String!) { users(filter: { displayName: { eq: $login } }, first: 2) { nodes { id displayName } } }'
    const schema = z.object({ users: z.object({ nodes: z.array(GivenPerson) }) })
    const { nodes } = (await this.#ask(query, { login }, schema)).users
    // Two people may be called the same.
    return nodes.length === 1 ? nodes[0] : undefined
  }

  async issue(number: number): Promise<Issue | undefined> {
    const found = await this.#found(this.#of(number), ISSUE)
    return found === undefined ? undefined : this.#issueOf(found)
  }

  /** All of them at once: the newest come first, by a cursor. */
  async changed({ since }: Parameters<Service['changed']>[0]): Promise<ChangedPage> {
    const query = `query ($filter: IssueFilter, $after: String) { issues(filter: $filter, first: ${LONG_PAGE}, after: $after, orderBy: updatedAt, includeArchived: true) { nodes { number updatedAt } ${PAGE_INFO} } }`
    const schema = z.object({ issues: pageOf(z.object({ number: z.int().min(1), updatedAt: z.string() })) })
    const filter = { team: { key: { eq: this.#key } }, ...(since && { updatedAt: { gte: since } }) }
    const all = await this.#pages((after) => this.#ask(query, { filter, after }, schema).then(({ issues }) => issues))
    return { issues: all.map((one) => ({ ...one, isOf: true })).toReversed(), next: undefined, etag: '' }
  }

  /** As many as are read. */
  async #pages<T>(read: (after: string | null) => Promise<z.infer<ReturnType<typeof pageOf<T>>>>): Promise<T[]> {
    const all: T[] = []
    let after: string | null = null
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { nodes, pageInfo } = await read(after)
      all.push(...nodes)
      after = pageInfo.endCursor ?? null
      if (!pageInfo.hasNextPage || after === null) break
    }
    return all
  }

  async commented(since: string): Promise<Set<number>> {
    const query = `query ($filter: CommentFilter, $after: String) { comments(filter: $filter, first: ${LONG_PAGE}, after: $after) { nodes { issue { number } } ${PAGE_INFO} } }`
    const schema = z.object({ comments: pageOf(z.object({ issue: z.object({ number: z.int() }).nullish() })) })
    const filter = { updatedAt: { gte: since }, issue: { team: { key: { eq: this.#key } } } }
    const all = await this.#pages((after) =>
      this.#ask(query, { filter, after }, schema).then(({ comments }) => comments),
    )
    return new Set(all.flatMap(({ issue }) => issue?.number ?? []))
  }

  async findLost({ madeAs }: LostIssue): Promise<Issue | undefined> {
    const found = madeAs === undefined ? undefined : await this.#found({ id: { eq: madeAs } }, ISSUE)
    return found === undefined ? undefined : this.#issueOf(found)
  }

  async comments(number: number): Promise<Comment[]> {
    const query = `query ($filter: CommentFilter, $after: String) { comments(filter: $filter, first: ${PAGE}, after: $after) { nodes { ${COMMENT} } ${PAGE_INFO} } }`
    const schema = z.object({ comments: pageOf(z.unknown()) })
    const filter = { issue: this.#of(number) }
    const all = await this.#pages((after) =>
      this.#ask(query, { filter, after }, schema).then(({ comments }) => comments),
    )
    return all.map(commentOf).toReversed()
  }

  async changesOf(number: number): Promise<IssueChange[]> {
    const found = await this.#found(this.#of(number), `history(first: 50) { nodes { ${HISTORY} } }`)
    const schema = z.object({ history: z.object({ nodes: z.array(z.unknown()) }) })
    const nodes = found === undefined ? [] : schema.parse(found).history.nodes
    return nodes.flatMap(changesIn).sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  }

  /** Calls a mutation that gives what it changed. */
  async #change(call: string, variables: object): Promise<void> {
    const types: Record<string, string> = { id: 'String!', labelId: 'String!', input: `${inputTypes[call] ?? ''}!` }
    const declared = Object.keys(variables).map((name) => `$${name}: ${types[name]}`)
    const given = Object.keys(variables).map((name) => `${name}: $${name}`)
    const query = `mutation (${declared.join(', ')}) { ${call}(${given.join(', ')}) { success } }`
    await this.#ask(query, variables, z.object({ [call]: z.object({ success: z.literal(true) }) }))
  }

  /** What was written is read again: its form is decided there. */
  async #read(number: number): Promise<Issue> {
    const issue = await this.issue(number)
    if (!issue) throw new Refusal('Linear', 404, 'no such issue')
    return issue
  }

  async createIssue({ title, text: description, madeAs: id }: NewText & { title: string }): Promise<Issue> {
    const { id: teamId } = await this.#teamOnce()
    await this.#change('issueCreate', { input: { id, teamId, title, description } })
    const made = await this.#found({ id: { eq: id } }, ISSUE)
    return this.#issueOf(made)
  }

  async updateIssue(number: number, { title, text, state }: Partial<IssueFields>): Promise<Issue> {
    const input = {
      ...(title !== undefined && { title }),
      ...(text !== undefined && { description: text }),
      ...(state && { stateId: await this.#stateId(state) }),
    }
    await this.#change('issueUpdate', { id: this.#identifier(number), input })
    return this.#read(number)
  }

  async #stateId(state: State): Promise<string> {
    const { states } = await this.#teamOnce()
    const inOrder = states.nodes.toSorted((a, b) => a.position - b.position)
    for (const type of wantedTypes[state]) {
      const found = inOrder.find((one) => one.type === type)
      if (found) return found.id
    }
    throw new Refusal('Linear', 404, `no state for ${state}`)
  }

  async createComment(number: number, { text: body, madeAs: id }: NewText): Promise<Comment> {
    await this.#change('commentCreate', { input: { id, issueId: this.#identifier(number), body } })
    const made = await this.#comment(id)
    if (!made) throw new Refusal('Linear', 404, 'no such comment')
    return made
  }

  async #comment(id: string): Promise<Comment | undefined> {
    const query = `query ($filter: CommentFilter) { comments(filter: $filter, first: 1) { nodes { ${COMMENT} } } }`
    const schema = z.object({ comments: z.object({ nodes: z.array(z.unknown()) }) })
    return (await this.#ask(query, { filter: { id: { eq: id } } }, schema)).comments.nodes.map(commentOf)[0]
  }

  async updateComment(_: number, id: string, body: string): Promise<Comment | undefined> {
    if (!(await this.#comment(id))) return undefined
    await this.#change('commentUpdate', { id, input: { body } })
    return this.#comment(id)
  }

  async deleteComment(_: number, id: string): Promise<void> {
    if (await this.#comment(id)) await this.#change('commentDelete', { id })
  }

  /** One of the team or of the whole workspace. */
  async addLabel(number: number, { name, color }: { name: string; color: string }): Promise<void> {
    const { id: teamId } = await this.#teamOnce()
    const labelId = (await this.#labelId(name)) ?? (await this.#makeLabel({ name, color, teamId }))
    if (labelId !== undefined) await this.#change('issueAddLabel', { id: this.#identifier(number), labelId })
  }

  async #labelId(name: string): Promise<string | undefined> {
    const query =
      'query ($name: String!) { issueLabels(filter: { name: { eqIgnoreCase: $name } }, first: 50) { nodes { id team { key } } } }'
    const node = z.object({ id: z.string(), team: z.object({ key: z.string() }).nullish() })
    const schema = z.object({ issueLabels: z.object({ nodes: z.array(node) }) })
    const { nodes } = (await this.#ask(query, { name }, schema)).issueLabels
    return nodes.find(({ team }) => team == null || team.key === this.#key)?.id
  }

  async #makeLabel(input: { name: string; color: string; teamId: string }): Promise<string | undefined> {
    await this.#change('issueLabelCreate', { input })
    return this.#labelId(input.name)
  }

  async removeLabel(number: number, name: string): Promise<void> {
    const schema = z.object({ labels: Labels })
    const found = await this.#found(this.#of(number), 'labels(first: 100) { nodes { id name } }')
    const labels = found === undefined ? [] : schema.parse(found).labels.nodes
    const label = labels.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (label) await this.#change('issueRemoveLabel', { id: this.#identifier(number), labelId: label.id })
  }
}

const inputTypes: Record<string, string> = {
  issueCreate: 'IssueCreateInput',
  issueUpdate: 'IssueUpdateInput',
  commentCreate: 'CommentCreateInput',
  commentUpdate: 'CommentUpdateInput',
  issueLabelCreate: 'IssueLabelCreateInput',
}
