// What is served for reading and is no operation, such as a tile of the log or an entry of a registry: to who may read its area.
import type { Context, Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import type { Area } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { requireReading } from '../../core/authorize.ts'
import type { Core } from '../../core/call-request.ts'
import { cookieIn, presentedToken } from '../../request/credentials.ts'
import { mountReport } from './document.ts'
import type { Env } from './pipeline.ts'
import { openHeaders, refusal } from './response.ts'

export interface ReadableOptions {
  core: Core
  cookieName: string
  /** The area whose content it is. */
  area: Area
  /** Whether it is of a part that is on; always unless told. */
  isThere?: ((config: Config) => boolean) | undefined
}

/** Serves what `serve` gives for each request; who may not read the area gets its refusal, and so does who asks for what `serve` refuses. */
export function mountReadable(
  app: Hono<Env>,
  { path, core, cookieName, area, isThere = () => true }: ReadableOptions & { path: string },
  serve: (c: Context<Env>) => Promise<Response>,
): void {
  mountReport(app, path, async (c) => {
    const { raw } = c.req
    const credentials = { sessionToken: cookieIn(raw.headers, cookieName), accessToken: presentedToken(raw) }
    try {
      if (!isThere(core.dependencies.config)) throw new Problem('not_found', 'There is nothing here')
      await requireReading(core, credentials, { area })
      return await serve(c)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return refused(c, { problem: error, area, baseUrl: core.dependencies.config.baseUrl })
    }
  })
}

/** A refusal in the words of an area. */
export function refused(
  c: Context<Env>,
  { problem, area, baseUrl }: { problem: Problem; area: Area; baseUrl: string },
): Response {
  const { status, body, headers } = refusal(problem, { access: { area, credential: 'required' } }, baseUrl)
  const all = { ...openHeaders, ...headers, 'Cache-Control': 'no-store', 'X-Request-Id': c.env.requestId }
  return Response.json(body, { status, headers: all })
}
