// GitHub for tests: a real http server that follows its documented REST API of issues, comments, labels and events (docs.github.com/rest, version
// 2022-11-28), and makes the deliveries of its webhooks. test/github.test.ts asks it with octokit, GitHub's own client.
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  type Body,
  bodyIn,
  FakeRepository,
  type GitHubUser,
  type StoredComment,
  type StoredIssue,
  sinceIn,
} from './github-repository.ts'

type Answer = { status: number; json?: unknown; headers?: Record<string, string> }

const MAX_BODY = 65_536
const MAX_TITLE = 256

/** A repository that is asked by http. */
export class FakeGitHub extends FakeRepository {
  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const content = await text(request)
    const { pathname, searchParams } = new URL(url, this.url)
    const by = this.tokens.get(/^(?:Bearer|token) (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    const answer =
      this.#limited() ??
      (by
        ? this.#answer(by, { method, pathname, query: searchParams, body: bodyIn(content) })
        : refusal(401, 'Bad credentials'))
    this.requests.push({ method, path: url, status: answer.status })
    if (this.losesAnswer && method !== 'GET') {
      this.losesAnswer = false
      response.destroy()
      return
    }
    const json = answer.json === undefined ? '' : JSON.stringify(answer.json)
    const etag = `"${hash('sha256', json, 'hex')}"`
    const isSame = method === 'GET' && answer.status === 200 && headers['if-none-match'] === etag
    const limits = {
      'X-RateLimit-Limit': '5000',
      'X-RateLimit-Remaining': '4999',
      'X-RateLimit-Reset': String(Math.floor(this.now() / 1000) + 3600),
    }
    const sent = { 'Content-Type': 'application/json; charset=utf-8', ETag: etag, ...limits, ...answer.headers }
    response.writeHead(isSame ? 304 : answer.status, sent).end(isSame ? undefined : json)
  }

  #limited(): Answer | undefined {
    if (!this.limited) return undefined
    const { kind, seconds } = this.limited
    const reset = String(Math.floor(this.now() / 1000) + seconds)
    if (kind === 'secondary')
      return {
        ...refusal(403, 'You have exceeded a secondary rate limit'),
        headers: { 'Retry-After': String(seconds) },
      }
    return {
      ...refusal(403, 'API rate limit exceeded'),
      headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset },
    }
  }

  #answer(
    by: GitHubUser,
    {
      method,
      pathname,
      query,
      body,
    }: { method: string; pathname: string; query: URLSearchParams; body: Body | undefined },
  ): Answer {
    if (body === undefined) return refusal(400, 'Problems parsing JSON')
    if (pathname === '/user') return { status: 200, json: by }
    const user = /^\/users\/([^/]+)$/.exec(pathname)?.[1]
    if (user !== undefined) {
      const found = this.users.get(decodeURIComponent(user).toLowerCase())
      return found ? { status: 200, json: found } : notFound
    }
    // By its id too, which links to further pages have.
    const prefix = pathname.startsWith('/repositories/1/') ? '/repositories/1' : `/repos/${this.name}`.toLowerCase()
    if (!pathname.toLowerCase().startsWith(prefix)) return notFound
    const rest = pathname.slice(prefix.length)
    if (rest === '') return { status: 200, json: { id: 1, full_name: this.name, private: this.isPrivate } }
    for (const [pattern, verbs] of this.#routes(by, query, body)) {
      const found = pattern.exec(rest)
      const run = found && verbs[method]
      if (run) return run(...found.slice(1).map(decodeURIComponent))
    }
    return notFound
  }

  #routes(
    by: GitHubUser,
    query: URLSearchParams,
    body: Body,
  ): [RegExp, Record<string, (...values: string[]) => Answer>][] {
    const on = (number: string | undefined, run: (issue: StoredIssue) => Answer): Answer => {
      const issue = this.issues.find((one) => one.number === Number(number))
      return issue ? run(issue) : notFound
    }
    const paged = (all: readonly unknown[], path: string) => this.#page(all, { query, path })
    return [
      [
        /^\/issues$/,
        {
          GET: () =>
            paged(
              this.#listed(query).map((issue) => this.shown(issue)),
              '/issues',
            ),
          POST: () =>
            invalid(body, true) ?? { status: 201, json: this.shown(this.create(by, body as { title: string })) },
        },
      ],
      [/^\/issues\/comments$/, { GET: () => paged(this.#allComments(query), '/issues/comments') }],
      [
        /^\/issues\/comments\/(\d+)$/,
        {
          GET: (id) =>
            this.#ofComment(id, (issue, comment) => ({ status: 200, json: this.shownComment(issue, comment) })),
          PATCH: (id) =>
            this.#ofComment(id, (issue, { id: own }) => {
              const edited = this.editComment(by, issue, { id: own, body: String(body['body']) })
              return invalidComment(body) ?? { status: 200, json: this.shownComment(issue, edited as StoredComment) }
            }),
          DELETE: (id) =>
            this.#ofComment(id, (issue, comment) => {
              this.deleteComment(by, issue, comment.id)
              return { status: 204 }
            }),
        },
      ],
      [
        /^\/issues\/(\d+)$/,
        {
          GET: (number) => on(number, (issue) => ({ status: 200, json: this.shown(issue) })),
          PATCH: (number) =>
            on(
              number,
              (issue) => invalid(body, false) ?? { status: 200, json: this.shown(this.update(by, issue, body)) },
            ),
        },
      ],
      [
        /^\/issues\/(\d+)\/comments$/,
        {
          GET: (number) =>
            on(number, (issue) =>
              paged(
                issue.comments.map((one) => this.shownComment(issue, one)),
                `/issues/${number}/comments`,
              ),
            ),
          POST: (number) =>
            on(
              number,
              (issue) =>
                invalidComment(body) ?? {
                  status: 201,
                  json: this.shownComment(issue, this.commentOn(by, issue, String(body['body']))),
                },
            ),
        },
      ],
      [
        /^\/issues\/(\d+)\/events$/,
        { GET: (number) => on(number, (issue) => paged(issue.events, `/issues/${number}/events`)) },
      ],
      [
        /^\/issues\/(\d+)\/labels$/,
        {
          POST: (number) =>
            on(number, (issue) => {
              for (const name of (body['labels'] as string[] | undefined) ?? []) this.labelIssue(by, issue, name)
              return { status: 200, json: this.shown(issue)['labels'] }
            }),
        },
      ],
      [
        /^\/issues\/(\d+)\/labels\/([^/]+)$/,
        {
          DELETE: (number, name = '') =>
            on(number, (issue) =>
              this.unlabel(by, issue, name)
                ? { status: 200, json: this.shown(issue)['labels'] }
                : refusal(404, 'Label does not exist'),
            ),
        },
      ],
      [/^\/labels$/, { POST: () => this.#makeLabel(body) }],
      [
        /^\/labels\/([^/]+)$/,
        {
          GET: (name = '') => {
            const label = this.labels.get(name.toLowerCase())
            return label ? { status: 200, json: label } : notFound
          },
        },
      ],
    ]
  }

  #makeLabel({ name, color }: Body): Answer {
    const key = String(name).toLowerCase()
    if (this.labels.has(key))
      return refusal(422, 'Validation Failed', [{ resource: 'Label', code: 'already_exists', field: 'name' }])
    if (!/^[\da-f]{6}$/i.test(String(color)))
      return refusal(422, 'Validation Failed', [{ resource: 'Label', code: 'invalid', field: 'color' }])
    const label = { name: String(name), color: String(color) }
    this.labels.set(key, label)
    return { status: 201, json: label }
  }

  #ofComment(id: string | undefined, run: (issue: StoredIssue, comment: StoredComment) => Answer): Answer {
    for (const issue of this.issues) {
      const comment = issue.comments.find((one) => one.id === Number(id))
      if (comment) return run(issue, comment)
    }
    return notFound
  }

  #listed(query: URLSearchParams): StoredIssue[] {
    const state = query.get('state') ?? 'open'
    const by = query.get('sort') === 'updated' ? ('updated_at' as const) : ('created_at' as const)
    const up = query.get('direction') === 'asc' ? 1 : -1
    return this.issues
      .filter((issue) => (state === 'all' || issue.state === state) && issue.updated_at >= sinceIn(query))
      .filter(({ user }) => !query.has('creator') || user.login.toLowerCase() === query.get('creator')?.toLowerCase())
      .toSorted((a, b) => (a[by] === b[by] ? a.number - b.number : a[by] < b[by] ? -1 : 1) * up)
  }

  #allComments(query: URLSearchParams): Body[] {
    const all = this.issues.flatMap((issue) => issue.comments.map((comment) => ({ issue, comment })))
    const found = all.filter(({ comment }) => comment.updated_at >= sinceIn(query))
    return found
      .toSorted((a, b) => (a.comment.updated_at < b.comment.updated_at ? -1 : 1))
      .map(({ issue, comment }) => this.shownComment(issue, comment))
  }

  #page(all: readonly unknown[], { query, path }: { query: URLSearchParams; path: string }): Answer {
    const size = Math.min(Math.max(Number(query.get('per_page') ?? 30), 1), 100)
    const page = Math.max(Number(query.get('page') ?? 1), 1)
    const last = Math.max(1, Math.ceil(all.length / size))
    const link = (to: number, rel: string) => {
      const wanted = new URLSearchParams(query)
      wanted.set('page', String(to))
      return `<${this.url}/repositories/1${path}?${wanted}>; rel="${rel}"`
    }
    const links = [
      ...(page > 1 ? [link(page - 1, 'prev'), link(1, 'first')] : []),
      ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ]
    return {
      status: 200,
      json: all.slice((page - 1) * size, page * size),
      ...(links.length > 0 && { headers: { Link: links.join(', ') } }),
    }
  }
}

const refusal = (status: number, message: string, errors?: object[]): Answer => ({
  status,
  json: {
    message,
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
    ...(errors && { errors }),
  },
})
const notFound = refusal(404, 'Not Found')

function invalid({ title, body, state }: Body, isNew: boolean): Answer | undefined {
  const wrong = (field: string, code: string) => refusal(422, 'Validation Failed', [{ resource: 'Issue', field, code }])
  if ((isNew || title !== undefined) && (typeof title !== 'string' || title.trim() === ''))
    return wrong('title', 'missing_field')
  if (typeof title === 'string' && title.length > MAX_TITLE) return wrong('title', 'invalid')
  if (typeof body === 'string' && body.length > MAX_BODY) return wrong('body', 'invalid')
  if (state !== undefined && state !== 'open' && state !== 'closed') return wrong('state', 'invalid')
  return undefined
}

const invalidComment = ({ body }: Body): Answer | undefined =>
  typeof body === 'string' && body.trim() !== '' && body.length <= MAX_BODY
    ? undefined
    : refusal(422, 'Validation Failed', [{ resource: 'IssueComment', field: 'body', code: 'missing_field' }])
