// The application: every slice, listed once, on a ground (database, clock, mail, ...) that is handed in.
import { Hono } from 'hono'
import * as accountsFront from './accounts/accounts.ts'
import { account } from './accounts/area.ts'
import { handlers as accounts } from './accounts/handlers.ts'
import { api } from './api.ts'
import { handlers as admin } from './community/admin/handlers.ts'
import { community } from './community/area.ts'
import { handlers as blog } from './community/blog/handlers.ts'
import { handlers as bugs } from './community/bugs/handlers.ts'
import { handlers as features } from './community/features/handlers.ts'
import { handlers as feed } from './community/feed/handlers.ts'
import { handlers as labels } from './community/labels/handlers.ts'
import { handlers as posts } from './community/posts/handlers.ts'
import { handlers as profile } from './community/profile/handlers.ts'
import type { Area } from './contract/operation.ts'
import type { Ground } from './handler.ts'
import { library } from './library/area.ts'
import { libraryHandlers } from './library/items/handlers.ts'
import type { RemoveOrg } from './library/items/publishing/handlers.ts'
import * as libraryFront from './library/library.ts'
import { timestamp } from './platform/clock.ts'
import { deleteExpiredTries } from './platform/limits/queries.ts'
import { sweepArtifacts } from './platform/sweep.ts'
import { bind } from './surfaces/bind.ts'
import { mountDocument, notFoundAnswer } from './surfaces/http/document.ts'
import { mountHealth } from './surfaces/http/health.ts'
import { type Env, mountApi, type Surroundings } from './surfaces/http/http.ts'

export interface Guildhall {
  fetch(request: Request, surroundings?: Surroundings): Response | Promise<Response>
  /** Counts a request for /metrics. */
  observe(operation: string, status: number): void
  /** Removes what has expired: sessions, codes, counted tries, sent mail. */
  cleanUp(): Promise<void>
}

// Made when first asked for: most starts never are.
function openApiText(baseUrl: string): () => Promise<string> {
  let text: Promise<string> | undefined
  return () => {
    text ??= import('./surfaces/openapi/openapi.ts').then(({ openApiOf }) => JSON.stringify(openApiOf(api, baseUrl)))
    return text
  }
}

/** The area that speaks for paths nobody knows. */
function areaOf(path: string): Area {
  if (path.startsWith('/api/auth')) return account
  return /^\/api\/library(\/|$)/.test(path) ? library : community
}

const removeOrg: RemoveOrg = ({ db }, id) =>
  db.transaction().execute((transaction) => libraryFront.removeGalleryOrg(transaction, id))

/** Puts the application together. Nothing listens and nothing runs by itself: `main.ts` does that. */
export function createApp(ground: Ground): Guildhall {
  const { baseUrl } = ground.config
  const app = new Hono<Env>()
  const { observe } = mountHealth(app, ground)
  mountDocument(app, '/api/openapi.json', 'application/json; charset=utf-8', openApiText(baseUrl))
  mountApi(app, {
    ground,
    operations: bind(api, {
      ...{ accounts, feed, bugs, labels, features, posts, blog, profile, admin },
      library: libraryHandlers({ removeOrg }),
    }),
    waysIn: {
      session: (token, now) => accountsFront.findSessionCaller(ground.db, token, now),
      bearer: async () => undefined,
    },
    session: {
      cookieName: accountsFront.cookieName(baseUrl),
      cookie: (token) => accountsFront.sessionCookie(baseUrl, token),
    },
    areaOf,
  })
  app.notFound(() => notFoundAnswer())
  return {
    fetch: (request, surroundings = {}) => app.fetch(request, surroundings),
    observe,
    async cleanUp() {
      const now = timestamp(ground.clock.now())
      await accountsFront.deleteExpired(ground.db, now)
      await deleteExpiredTries(ground.db, now)
      await ground.outbox.cleanUp()
      await libraryFront.cleanUp(ground.db, now)
      await sweepArtifacts(ground, [libraryFront.isArtifactUsed])
    },
  }
}
