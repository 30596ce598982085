// The application: every slice, listed once. Its dependencies (database, clock, mail, ...) are handed in.
import { Hono } from 'hono'
import { api, areaOf } from './api.ts'
import { findAuditNames, findAuditTargets } from './audit-targets.ts'
import { titleOf as blogTitle } from './community/blog/posts.ts'
import { orgRemoval } from './community/orgs/orgs.ts'
import { handlersOf } from './content/manifest.ts'
import { foretell } from './content/notifications/delivery.ts'
import { Streams } from './content/notifications/streams.ts'
import { suggestibleIn } from './content/suggestions/rules.ts'
import { WebhookSender } from './content/webhooks/sending.ts'
import { keysOf, recordOf } from './contract/records.ts'
import { bind } from './core/bind.ts'
import { countsOf } from './core/call-budget.ts'
import type { Core } from './core/call-request.ts'
import { callKept } from './core/given-call.ts'
import { reportOn } from './core/jobs/report.ts'
import { JobRunner } from './core/jobs/runner.ts'
import { allFeatures, swept, things } from './features.ts'
import { feedKeys } from './identity/feed-keys.ts'
import { cookieName, findSessionCaller, sessionCookie } from './identity/sessions.ts'
import { jobsOf, type Services, turns } from './jobs.ts'
import * as libraryFront from './library/library.ts'
import { Downloads } from './library/versions/downloads.ts'
import { powers } from './moderating.ts'
import { createOAuth } from './oauth/oauth.ts'
import { pendingOf } from './pending.ts'
import { completedBy, prompts } from './prompts.ts'
import type { CallActing } from './request/acting.ts'
import type { Dependencies } from './request/handler.ts'
import { timestamp } from './runtime/clock.ts'
import { required } from './runtime/untyped.ts'
import { followable, listedSubjects } from './subjects.ts'
import { mountDiscovery } from './surfaces/discovery/mount.ts'
import { mountWellKnown } from './surfaces/discovery/well-known.ts'
import { notFoundAnswer } from './surfaces/http/document.ts'
import { mountEndpoints } from './surfaces/http/endpoint.ts'
import { filesGate } from './surfaces/http/files-origin.ts'
import { mountHealth } from './surfaces/http/health.ts'
import { mountApi } from './surfaces/http/http.ts'
import { type Env, type Observe, pipelineOf, type RequestContext } from './surfaces/http/pipeline.ts'
import { mountLog } from './surfaces/log/mount.ts'
import type { McpSurface } from './surfaces/mcp/mcp.ts'
import { mountMcp } from './surfaces/mcp/mount.ts'
import { mountDescription } from './surfaces/openapi/served.ts'
import { mountSite, pageRenderer, type SiteSource } from './surfaces/site/mount.ts'
import { viewRenderer } from './surfaces/site/view.ts'

export interface Guildhall extends Record<keyof typeof turns, () => Promise<void>> {
  fetch(request: Request, requestContext?: RequestContext): Response | Promise<Response>
  /** Counts a request for /metrics. */
  observe: Observe
  /** The response of the listener at METRICS_PORT. */
  operatorFetch(request: Request): Promise<Response>
  /** From now on /readyz says that the server stops, so that a proxy turns to others while requests are still answered. */
  drain(): void
  /** Checks what a running server needs, such as its signing key: the start fails instead of a later request. */
  open(): Promise<void>
  /** The paths that are served, as the router has them. */
  paths: readonly string[]
  /** All work besides requests. */
  jobs: JobRunner
}

/**
 * Builds the application. It opens no port and starts no timer: `main.ts` does that. Without a `site` there are no pages; `mcpServer`
 * lets tests use their own tools.
 */
export function createApp(
  dependencies: Dependencies,
  more: { site?: SiteSource; mcpServer?: McpSurface['serverFor'] } = {},
): Guildhall {
  const { baseUrl } = dependencies.config
  const cookie = { cookieName: cookieName(baseUrl) }
  const app = new Hono<Env>()
  const inProcess = pipelineOf(app, dependencies, (request, id) => (isNoFile(request) ? notFoundAnswer(id) : undefined))
  const server = createOAuth(dependencies, { core: () => core, bound: (name) => required(byName.get(name)) })
  const streams = new Streams(dependencies)
  const downloads = new Downloads(dependencies)
  const callActing: CallActing = async (kept, acting) =>
    (
      await callKept(core, required(operations.find(({ operation }) => operation === kept.operation)), {
        ...kept,
        acting,
      })
    ).output
  const pending = pendingOf(dependencies, callActing)
  const waiting = [pending.news, libraryFront.pendingInvitations]
  const sender = new WebhookSender(dependencies)
  const listJobs = () => reportOn(dependencies.db, jobs.jobs, timestamp(dependencies.clock.now()))
  const services: Services = { ...shared, callActing, server, streams, downloads, pending, sender, waiting, listJobs }
  const jobs = new JobRunner(dependencies, jobsOf(dependencies, services))
  // Every operation with its handler: a contract that no feature has handlers of does not compile.
  const operations = bind(api, handlersOf(allFeatures, services))
  const byName = new Map(operations.map((bound) => [bound.name, bound]))
  const core = coreOf(dependencies, server, pending)
  const calling = { core, operations: byName, ...cookie }
  const siteOptions = more.site && { dependencies, site: more.site, calling }
  const renderPage = siteOptions && pageRenderer(siteOptions)
  const renderView = renderPage && viewRenderer(renderPage, baseUrl)
  const isNoFile = filesGate(dependencies.config, operations)
  const { observe, operatorFetch, drain } = mountHealth(app, dependencies, { operations, jobs, ...server })
  mountDescription(app, dependencies.config)
  mountEndpoints(app, server.endpoints, { dependencies, renderView, ...cookie })
  mountDiscovery(app, dependencies.config)
  mountWellKnown(app, dependencies.config, () => dependencies.clock.now())
  mountLog(app, { core, area: areaOf('/api/library'), ...cookie })
  const mcp = mountMcp(app, { core, operations, prompts, completedBy, serverFor: more.mcpServer })
  mountApi(app, { core, operations, areaOf, ...cookie })
  if (siteOptions && renderPage) mountSite(app, { ...siteOptions, renderPage })
  app.notFound((c) => notFoundAnswer(c.env.requestId))
  return {
    fetch: (request, requestContext = {}) => inProcess(request, requestContext),
    observe,
    operatorFetch,
    drain() {
      drain()
      for (const open of [streams, mcp]) open.close()
    },
    open: async () => void (await server.open()),
    paths: [...new Set(app.routes.map(({ path }) => path))],
    jobs,
    ...recordOf(keysOf(turns), (turn) => () => jobs.run(...turns[turn])),
  }
}

type Server = ReturnType<typeof createOAuth>

/** What every call shares. */
function coreOf(dependencies: Dependencies, { bearer, used }: Server, { askFirst }: Pick<Core, 'askFirst'>): Core {
  const { db, clock, config } = dependencies
  return {
    dependencies,
    authenticators: {
      session: (token, now) => findSessionCaller(db, token, now),
      bearer,
      used,
      feed: feedKeys(dependencies),
    },
    ...countsOf(dependencies),
    sessionCookie: (token, expiresAt) =>
      sessionCookie(config.baseUrl, token, { now: timestamp(clock.now()), expiresAt }),
    ...{ foretell, askFirst },
  }
}

/** What features need of the application, and of each other. */
const shared = {
  ...things,
  suggestible: suggestibleIn(api, listedSubjects),
  ...{ swept, followable, powers, blogTitle, removeOrg: orgRemoval(libraryFront) },
  auditLookups: { findTargets: findAuditTargets, findNames: findAuditNames },
}
