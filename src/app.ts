// The application: every slice, listed once. Its dependencies (database, clock, mail, ...) are handed in.

import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { z } from 'zod'
import { chatEndpoints } from './accounts/chat/chat.ts'
import { api, areaOf } from './api.ts'
import type { AuditLookups } from './community/admin/handlers.ts'
import { titleOf as blogTitle } from './community/blog/posts.ts'
import { orgRemoval } from './community/orgs/orgs.ts'
import { scimEndpoints } from './community/scim/scim.ts'
import { trackerEndpoints } from './community/trackers/trackers.ts'
import { requirePowerIn, standingsOf } from './content/board-access/boards.ts'
import { listPlaces } from './content/board-access/place-queries.ts'
import { handlersOf } from './content/manifest.ts'
import { Streams } from './content/notifications/streams.ts'
import { suggestibleIn } from './content/suggestions/rules.ts'
import { eventSubscriptions } from './content/webhooks/event-contract.ts'
import type { Contract } from './contract/operation.ts'
import type { PendingActOperations } from './contract/pending.ts'
import type { Prompt } from './contract/prompt.ts'
import { keysOf, recordOf } from './contract/records.ts'
import { bind } from './core/bind.ts'
import { countsOf } from './core/call-budget.ts'
import type { Core } from './core/call-request.ts'
import { callKept } from './core/given-call.ts'
import { JobRunner } from './core/jobs/runner.ts'
import { allFeatures, features, swept, things } from './features.ts'
import { chatCallers } from './identity/chat-links.ts'
import { feedKeys, skillKeys } from './identity/feed-keys.ts'
import { cookieName, findSessionCaller, sessionCookie } from './identity/sessions.ts'
import { jobsOf, type Services, turns } from './jobs.ts'
import { Downloads } from './library/downloads/downloads.ts'
import * as libraryFront from './library/library.ts'
import type { MailDoor } from './mail/incoming/listener.ts'
import { powers } from './moderating.ts'
import { createOAuth } from './oauth/server/server.ts'
import { optional } from './optional.ts'
import { pendingOf } from './pending.ts'
import type { CallActing } from './request/acting.ts'
import type { Dependencies } from './request/handler.ts'
import { lazily } from './request/lazily.ts'
import { timestamp } from './runtime/clock.ts'
import { once } from './runtime/once.ts'
import { required } from './runtime/untyped.ts'
import { followable, listedSubjects } from './subjects.ts'
import { mountDiscovery, mountWellKnown } from './surfaces/discovery/mount.ts'
import { mountSkills } from './surfaces/discovery/skills.ts'
import { mountAskedPaths, mountReadPaths } from './surfaces/http/asked-paths.ts'
import { notFoundAnswer } from './surfaces/http/document.ts'
import { mountEndpoints } from './surfaces/http/endpoint.ts'
import { mountGitPaths } from './surfaces/http/git-paths.ts'
import { mountHealth } from './surfaces/http/health.ts'
import { mountApi } from './surfaces/http/http.ts'
import { filesGate } from './surfaces/http/origin.ts'
import { type Env, type Observe, pipelineOf, type RequestContext } from './surfaces/http/pipeline.ts'
import { mountLog } from './surfaces/log/mount.ts'
import type { McpSurface } from './surfaces/mcp/mcp.ts'
import { mountMcp } from './surfaces/mcp/mount.ts'
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
  /** Takes mail for members. */
  mailDoor: MailDoor
}

/**
 * Builds the application. It opens no port and starts no timer: `main.ts` does that. Without a `site` there are no pages; `mcpServer`
 * lets tests use their own tools, and `router` one that knows the paths already.
 */
export function createApp(
  dependencies: Dependencies,
  more: { site?: SiteSource; mcpServer?: McpSurface['serverFor']; router?: Hono<Env>['router'] } = {},
): Guildhall {
  const { baseUrl } = dependencies.config
  const cookie = { cookieName: cookieName(baseUrl) }
  // Hono's own choice tries another router first, which does not take our paths.
  const app = new Hono<Env>({ router: more.router ?? new TrieRouter() })
  const inProcess = pipelineOf(app, dependencies, (request, id) => (isNoFile(request) ? notFoundAnswer(id) : undefined))
  const server = createOAuth(dependencies, { core: () => core, bound: (name) => required(byName.get(name)) }, letting)
  const streams = new Streams(dependencies)
  const downloads = new Downloads(dependencies)
  const callActing: CallActing = async (kept, acting) => {
    const bound = required(operations.find(({ operation }) => operation === kept.operation))
    return (await callKept(core, bound, { ...kept, acting })).output
  }
  const pending = pendingOf(dependencies, callActing)
  const waiting = [pending.news, libraryFront.pendingInvitations]
  const sender = senderOf(dependencies)
  const listJobs = async () =>
    (await import('./core/jobs/report.ts')).reportOn(dependencies.db, jobs.jobs, timestamp(dependencies.clock.now()))
  const wakeWebhooks = () => jobs.wake('webhooks.send')
  const made = { server, streams, downloads, pending, sender, waiting, wakeWebhooks, findMeaning: meaningFinder() }
  const services: Services = { ...shared, ...made, callActing, listJobs, mailDoor: () => mailDoor }
  const jobs = new JobRunner(dependencies, jobsOf(dependencies, services))
  // Every operation with its handler: a contract that no feature has handlers of does not compile.
  const operations = bind(api, handlersOf(allFeatures, services))
  const byName = new Map(operations.map((bound) => [bound.name, bound]))
  const core = coreOf(dependencies, server, pending)
  const calling = { core, operations: byName, ...cookie }
  const mailDoor = doorOf(dependencies, { operations, callActing })
  const siteOptions = more.site && { dependencies, site: more.site, calling, drawings: optional.drawings }
  const renderPage = siteOptions && pageRenderer(siteOptions)
  const renderView = renderPage && viewRenderer(renderPage, baseUrl)
  const isNoFile = filesGate(dependencies.config, operations)
  const { observe, operatorFetch, drain } = mountHealth(app, dependencies, { operations, jobs, ...server })
  const endpoints = [...server.endpoints, ...doorsOf(dependencies, calling)]
  mountEndpoints(app, endpoints, { dependencies, renderView, ...cookie })
  mountDocuments(app, calling)
  const mcp = mountMcp(app, { core, operations, prompts, completedBy, skills, acts, events, serverFor: more.mcpServer })
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
    mailDoor,
    ...recordOf(keysOf(turns), (turn) => () => jobs.run(...turns[turn])),
  }
}

/** The endpoints of what others send in their own form. */
const doorsOf = (dependencies: Dependencies, calling: Parameters<typeof chatEndpoints>[1]) => [
  ...scimEndpoints(dependencies),
  ...chatEndpoints(dependencies, calling),
  ...trackerEndpoints(dependencies),
]

/** What is read at paths that others chose: documents, the log, and the library in the words of other protocols. */
function mountDocuments(app: Hono<Env>, calling: Omit<Parameters<typeof mountSkills>[1], 'area'>): void {
  const { config, clock } = calling.core.dependencies
  const area = areaOf('/api/library')
  mountDiscovery(app, config)
  mountSkills(app, { ...calling, area })
  mountWellKnown(app, config, () => clock.now())
  mountLog(app, { ...calling, area })
  mountReadPaths(app, libraryFront.readPaths, calling)
  mountGitPaths(app, libraryFront.gitPaths, calling)
  mountAskedPaths(app, libraryFront.askedPaths, calling)
}

/** Finds things by what a title means, loaded when one is first asked for. */
function meaningFinder(): Services['findMeaning'] {
  const finder = once(async () => (await import('./community/assistant/meanings.ts')).meaningFinder())
  return async (...given) => (await finder())(...given)
}

/** The door for mail, loaded for the first one that comes. */
function doorOf(...given: Parameters<typeof import('./mail-door.ts').mailDoorOf>): MailDoor {
  const door = once(async () => (await import('./mail-door.ts')).mailDoorOf(...given))
  return {
    knows: async (address) => (await door()).knows(address),
    take: async (mail) => (await door()).take(mail),
  }
}

/** The sender of webhooks, loaded when it is first to send. */
function senderOf(dependencies: Dependencies) {
  const sender = once(async () => new (await import('./content/webhooks/sending.ts')).WebhookSender(dependencies))
  return { send: async () => (await sender()).send() }
}

type Server = ReturnType<typeof createOAuth>

/** What every call shares. */
function coreOf(
  dependencies: Dependencies,
  { bearer, used }: Server,
  { askFirst, isStaged }: Pick<Core, 'askFirst' | 'isStaged'>,
): Core {
  const { db, clock, config } = dependencies
  return {
    dependencies,
    authenticators: {
      session: (token, now) => findSessionCaller(db, token, now),
      bearer,
      used,
      feed: feedKeys(dependencies),
      skills: skillKeys(dependencies),
      chat: chatCallers(dependencies),
    },
    ...countsOf(dependencies),
    sessionCookie: (token, expiresAt) =>
      sessionCookie(config.baseUrl, token, { now: timestamp(clock.now()), expiresAt }),
    foretell: async (db, act) =>
      (await import('./content/delivery/delivery.ts')).foretell({ db, config: dependencies.config }, act),
    ...{ askFirst, isStaged },
    standingsOf: (caller) => standingsOf(dependencies, caller),
    boardsOf: listPlaces,
    requirePowerIn,
  }
}

/** By the paths of lists of boards, what they take. */
function listInputsOf(): ReadonlyMap<string, z.ZodObject> {
  const paths = new Set<string>(listedSubjects.flatMap((subject) => (subject.boards ? [subject.path] : [])))
  const operations = Object.values<Contract>(api).flatMap((contract) => Object.values(contract))
  return new Map(
    operations.flatMap(({ method, path, input }) =>
      method === 'GET' && paths.has(path) ? [[path, input] as const] : [],
    ),
  )
}

/** Which runs of a CI may publish: the library says that to the authorization server. */
const letting = libraryFront.trustedPublishers

/** What features need of the application, and of each other. */
const shared = {
  ...things,
  suggestible: suggestibleIn(api, listedSubjects),
  ...{ swept, followable, powers, blogTitle, removeOrg: orgRemoval(libraryFront) },
  items: libraryFront.itemsSeen,
  addSamples: async (...given: Parameters<typeof import('./community/samples/samples.ts').addSamples>) =>
    (await import('./community/samples/samples.ts')).addSamples(...given),
  listInputs: listInputsOf(),
  auditLookups: {
    findTargets: async (...given) => (await import('./audit-targets.ts')).findAuditTargets(...given),
    findNames: async (...given) => (await import('./audit-targets.ts')).findAuditNames(...given),
  } satisfies AuditLookups,
}

/** The list in which the values of an argument are. */
const completedBy: Readonly<Record<string, string>> = Object.assign(
  {},
  ...features.map((feature) => feature.completedBy),
)

const skills = libraryFront.skillOperations
/** What agents do with events is done by MCP alone; it is called as every operation is. */
const [subscribe, unsubscribe, poll] = bind(
  { eventSubscriptions },
  {
    eventSubscriptions: lazily(
      eventSubscriptions,
      async () => (await import('./content/webhooks/event-handlers.ts')).eventHandlers,
    ),
  },
)
const events = { subscribe: required(subscribe), unsubscribe: required(unsubscribe), poll: required(poll) }

const acts: PendingActOperations = { get: 'pendingActs.get', withdraw: 'pendingActs.withdraw' }

const prompts: readonly Prompt[] = features.flatMap((feature) => feature.prompts ?? [])
