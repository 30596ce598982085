// The API as pages call it, in process: with the session of their reader, and by the same rules as over HTTP.
import { api } from '../../api.ts'
import { rateLimitHeaders } from '../../budgets/rules.ts'
import { contentTypesOf, type FileAnswer } from '../../contract/files.ts'
import type { AddedLanguages } from '../../contract/languages.ts'
import { Problem } from '../../contract/problem.ts'
import type { BoundOperation } from '../../core/bind.ts'
import type { CallResult, Core, Credentials } from '../../core/call-request.ts'
import { type CalledFrom, callGiven } from '../../core/given-call.ts'
import { LANGUAGE_COOKIE, languageOf } from '../../language/choice.ts'
import { cookieIn } from '../../request/credentials.ts'
import { required } from '../../runtime/untyped.ts'
import { ApiError, type CallOperation, type Client, clientOf } from '../client.ts'
import { type FormBody, handedOn } from '../http/body.ts'
import { refusal } from '../http/response.ts'
import { wholeFile } from '../http/send-file.ts'

export interface SiteCore {
  core: Core
  operations: ReadonlyMap<string, BoundOperation>
  cookieName: string
}

type OnCookie = (line: string) => void

interface SendOptions {
  onCookie: OnCookie
  form?: FormBody | undefined
  isDryRun?: boolean | undefined
}

interface PageReader extends Pick<Credentials, 'asReader' | 'boardsOf' | 'skillKey' | 'page'> {
  raw?: Request
  requestId: string
  address: string
}

/** The calls of one page. */
export class PageCalls {
  readonly #site: SiteCore
  readonly #from: CalledFrom
  readonly #cookies = new Set<string>()
  /** When an outage that the API reported will be over, in seconds. */
  retryAfter: string | undefined

  /** Without `raw` the calls are those of an anonymous user, or `asReader` those of any reader of a private instance. */
  constructor(site: SiteCore, { raw, asReader, boardsOf, skillKey, page, ...from }: PageReader) {
    this.#site = site
    const sessionToken = raw && cookieIn(raw.headers, site.cookieName)
    this.#from = {
      ...from,
      credentials: {
        sessionToken,
        accessToken: undefined,
        ...(page && { page }),
        ...(asReader && { asReader }),
        ...(boardsOf && { boardsOf }),
        ...(skillKey !== undefined && { skillKey }),
      },
      headers: headersOf(raw, this.#site.core.dependencies.config.languages),
    }
  }

  client(onCookie: OnCookie): Client<typeof api> {
    const callOperation: CallOperation = (_, input, name) => this.#call(name, input, { onCookie })
    return clientOf(api, callOperation)
  }

  /** Calls an operation by its name with what a form has, and hands on a form with files. Rejects as the client does. */
  send(name: string, input: Record<string, unknown>, how: SendOptions): Promise<unknown> {
    return this.#call(name, input, how)
  }

  async #call(
    name: string,
    input: Record<string, unknown>,
    { onCookie, form, isDryRun }: SendOptions,
  ): Promise<unknown> {
    const bound = required(this.#site.operations.get(name))
    const from = { ...this.#from, input, body: form && handedOn(form), isDryRun }
    try {
      const result = await callGiven(this.#site.core, bound, from)
      // Each call of a page says that its session was renewed.
      for (const line of result.reply.getSetCookie()) {
        if (this.#cookies.has(line)) continue
        this.#cookies.add(line)
        onCookie(line)
      }
      return await this.#answerOf(bound, result)
    } catch (error) {
      throw error instanceof Problem ? this.#errorOf(bound, error) : error
    }
  }

  async #answerOf({ name, operation }: BoundOperation, { output, reply }: CallResult): Promise<unknown> {
    if (!contentTypesOf(operation.output)) return output
    const { requestId } = this.#from
    const onFault = (err: unknown) =>
      this.#site.core.dependencies.log.error({ err, requestId, operation: name }, 'file not sent whole')
    return wholeFile(output as FileAnswer, { reply, onFault })
  }

  #errorOf({ operation }: BoundOperation, problem: Problem): ApiError {
    const { status, body, headers } = refusal(problem, operation, this.#site.core.dependencies.config.baseUrl)
    if (status === 503) this.retryAfter = headers['Retry-After']
    const all = { ...headers, ...rateLimitHeaders(problem.details.standings ?? []) }
    return new ApiError(status, body, new Headers(all))
  }
}

/** What of the request of a page is part of its calls. Those without it have none of its reader. */
function headersOf(raw: Request | undefined, added: AddedLanguages): Headers {
  const headers = new Headers()
  if (!raw) return headers
  const { method, url, headers: sent } = raw
  const cookie = sent.get('cookie')
  if (cookie !== null) headers.set('cookie', cookie)
  // Safe methods do not need the others, but for the way back from the external provider, which opens a session.
  if (method === 'GET' && new URL(url).pathname !== '/sign-in/external') return headers
  const userAgent = sent.get('user-agent')
  if (userAgent !== null) headers.set('user-agent', userAgent)
  // A mail that this causes has the language of the page, where its recipient has no account.
  const acceptLanguage = sent.get('accept-language')
  const language = languageOf({ cookie: cookieIn(sent, LANGUAGE_COOKIE), acceptLanguage, added })
  if (language) headers.set('accept-language', language)
  return headers
}
