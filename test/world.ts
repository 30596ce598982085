// The world of a test: Guildhall on a database of its own, with people who come in by the front door. Mail, clock and
// database are small real ones.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it as nodeIt } from 'node:test'
import type { Account } from '../src/accounts/sign-in/contract.ts'
import { removeActing } from '../src/acting.ts'
import { type Api, api } from '../src/api.ts'
import { createApp, type Guildhall } from '../src/app.ts'
import type { Role } from '../src/contract/operation.ts'
import type { Changes } from '../src/database/commit-cache.ts'
import { openPostgres, type PostgresStore } from '../src/database/postgres.ts'
import type { ReplicasReport } from '../src/database/replicas.ts'
import type { Db } from '../src/database/schema.ts'
import { grantRole } from '../src/identity/roles.ts'
import type { Mail } from '../src/mail/mail.ts'
import { openOutbox } from '../src/mail/outbox.ts'
import { newSigningKey, openSecrets } from '../src/oauth/server/server.ts'
import type { Dependencies } from '../src/request/handler.ts'
import type { Clock } from '../src/runtime/clock.ts'
import { openLog } from '../src/runtime/log.ts'
import { StorageHealth } from '../src/runtime/outage.ts'
import { newRsaKey } from '../src/runtime/rsa-key.ts'
import { required } from '../src/runtime/untyped.ts'
import { LiveSettings } from '../src/settings/live-settings.ts'
import { openBlobs } from '../src/storage/open-blobs.ts'
import { type Client, connect } from '../src/surfaces/client.ts'
import { siteOnce } from '../src/surfaces/site/open.ts'
import { configOf } from './configs.ts'
import { CookieJar } from './cookies.ts'
import { onEngines } from './databases.ts'
import { NoPostgres } from './postgres-databases.ts'
import { SharedRouter } from './shared-router.ts'

export const BASE_URL = 'http://localhost:3000'

/** One key for all worlds of a test file. */
export const SIGNING_KEY = JSON.stringify(newSigningKey())

let rsaKey: ReturnType<typeof newRsaKey> | undefined

const CODE = /^\d{6}$/m

/** One for all worlds: each log is flushed when the process ends. */
const SILENT = openLog('silent')

/** The cheapest argon2 there is: what is tested is that passwords are hashed, not how long it takes. */
const CHEAP_PASSWORDS = { memory: 8, passes: 1 }

export interface Person extends Client<Api> {
  email: string
  /** The account, made and signed in to on first use. */
  account(): Promise<Account>
  /** Any request at all, with this person's cookie; `path` is below the origin. It follows what `atAddress` says, and no other redirect. */
  request(path: string, init?: RequestInit): Promise<Response>
}

export interface World {
  alice: Person
  bob: Person
  moderator: Person
  admin: Person
  /** Signed in, and then blocked with the session still there. */
  blocked: Person
  /** Not signed in. */
  anonymous: Person
  /** A new user. */
  person(name: string): Person
  app: Guildhall
  dependencies: Dependencies
  db: Db
  changes: Changes | undefined
  databaseUrl: string
  /** `pass` lets time pass; `jump` sets the clock and no time has passed; after `stop` a slow machine loses none. */
  clock: Clock & { pass(seconds: number): void; jump(seconds: number): void; stop(): void }
  /** The mails sent to an address, oldest first. */
  mails(email: string): Promise<Mail[]>
  /** The newest code that was mailed to an address. */
  code(email: string): Promise<string>
}

type Body = (world: World) => Promise<void>
export type It = (sentence: string, body: Body) => void
type Settings = Readonly<Record<string, string>>

/**
 * Runs the tests on SQLite and on PostgreSQL. Where there is no PostgreSQL, the second half says that it is skipped, and so does a test of
 * the first half that needs a database on the other engine too.
 */
export function onEveryEngine(subject: string, define: (it: It) => void, settings: Settings = {}): void {
  onEngines(subject, (open) => {
    define((sentence, body) => {
      nodeIt(sentence, async (t) => {
        const database = await open()
        const folder = await mkdtemp(join(tmpdir(), 'guildhall-blobs-'))
        try {
          await body(await makeWorld(database, { BLOB_URL: `file:${folder}`, ...settings }))
        } catch (error) {
          if (!(error instanceof NoPostgres)) throw error
          t.skip(error.message)
        } finally {
          await database.remove()
          rmSync(folder, { recursive: true })
        }
      })
    })
  })
}

interface Database {
  db: Db
  changes?: Changes
  caughtUp?: () => Promise<void> | undefined
  sync?: () => Promise<void>
  second?: () => PostgresStore
  fault?: () => Error | undefined
  ping?: () => Promise<void>
  probe?: () => Promise<void>
  replicas?: ReplicasReport
  url: string
}

type More = Pick<Dependencies, 'fetchDocument' | 'makeRsaKey'> &
  Partial<Pick<Dependencies, 'log' | 'health'>> & {
    /** The clock of the application, made of that of the machine. */
    keep?(machine: Clock): Clock
    /** Stands around the application, for all requests of the world. */
    wrap?(app: Guildhall, dependencies: Dependencies): Guildhall
  }

/** Guildhall on this database; `given` are those of the environment, `more` replaces external dependencies. */
export async function makeWorld(
  { db, changes, caughtUp, sync, second, fault, ping, probe, replicas, url }: Database,
  given: Settings = {},
  { wrap = (app) => app, keep = (machine) => machine, ...more }: More = {},
): Promise<World> {
  const sent: Mail[] = []
  let [passed, jumped] = [0, 0]
  let stoppedAt: number | undefined
  const machine = {
    now: () => (stoppedAt ?? Date.now()) + passed + jumped,
    elapsed: () => performance.now() + passed,
    pass(seconds: number) {
      passed += seconds * 1000
    },
    jump(seconds: number) {
      jumped += seconds * 1000
    },
    stop() {
      stoppedAt = Date.now()
    },
  }
  const { log = SILENT } = more
  const clock = keep(machine)
  const environment = {
    ...configOf({ RATE_LIMITS: 'off', BASE_URL, NODE_ENV: 'development', SIGNING_KEY, ...given }),
    databaseUrl: url,
  }
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close() {} }
  const secretFor = openSecrets(environment)
  const settings = new LiveSettings({ config: environment, db, changes, log, secretFor })
  const { config } = settings
  const outbox = openOutbox({ db, mailer, clock, log, secretFor, site: config })
  const blobs = await openBlobs(config.blobUrl)
  const dependencies: Dependencies = {
    config,
    settings,
    db,
    clock,
    log,
    outbox,
    blobs,
    passwordCost: CHEAP_PASSWORDS,
    health: new StorageHealth(log),
    // Made once for all worlds of a test file: it takes longer than most tests.
    makeRsaKey: () => (rsaKey ??= newRsaKey()),
    secretFor,
    removeActing,
    ...(changes && { changes }),
    ...(caughtUp && { caughtUp }),
    ...(fault && { fault }),
    ...(ping && { ping }),
    ...(probe && { probe }),
    ...(replicas && { replicas }),
    ...more,
  }
  const first = createApp(dependencies, { site: { open: siteOnce(), changes }, router: new SharedRouter() })
  const app = wrap(
    TWO_PROCESSES && given['TEST_PROCESSES'] !== '1' && sync
      ? await withSecond(first, dependencies, { sync, second })
      : first,
    dependencies,
  )
  const mails = async (email: string) => {
    await outbox.flush()
    return sent.filter(({ recipient }) => recipient === email)
  }
  const person = (name: string, prepare?: (account: Account) => Promise<unknown>) =>
    makePerson({ app, config, name, prepare })
  const withRole = (role: Role) => (account: Account) =>
    grantRole(dependencies, account.email, { role, now: new Date().toISOString() })
  return {
    alice: person('alice'),
    bob: person('bob'),
    moderator: person('moderator', withRole('moderator')),
    admin: person('admin', withRole('admin')),
    blocked: person('blocked', ({ id }) =>
      db.updateTable('user').set({ blockedAt: new Date().toISOString() }).where('id', '=', id).execute(),
    ),
    anonymous: makeAnonymous(app, config.baseUrl),
    person: (name) => person(name),
    app,
    dependencies,
    db,
    changes,
    databaseUrl: url,
    clock: machine,
    mails,
    code: async (email) => (await mails(email)).findLast(({ body }) => CODE.test(body))!.body.match(CODE)![0],
  }
}

/** `TEST_PROCESSES=2`: on PostgreSQL each request goes to the other of two processes; not in a world whose settings say 1, for what a process counts by itself. */
const TWO_PROCESSES = process.env['TEST_PROCESSES'] === '2'

/** The application as two processes on one database; they share nothing else but the clock and the mail of the test. */
async function withSecond(
  first: Guildhall,
  dependencies: Dependencies,
  { sync, second: openSecond }: { sync: () => Promise<void>; second: Database['second'] },
): Promise<Guildhall> {
  const store = openSecond?.() ?? openPostgres(dependencies.config.databaseUrl, { connections: 4 })
  const { db, changes, caughtUp } = store
  const { log, secretFor } = dependencies
  const settings = new LiveSettings({ config: dependencies.settings.environment, db, changes, log, secretFor })
  const others = { ...dependencies, db, changes, caughtUp, settings, config: settings.config }
  // A test may change it later, for both.
  Object.defineProperty(others, 'reach', { get: () => dependencies.reach, enumerable: true })
  const second = createApp(others, { site: { open: siteOnce(), changes }, router: new SharedRouter() })
  if (!openSecond) {
    const { destroy } = dependencies.db
    dependencies.db.destroy = async () => {
      await Promise.all([destroy.call(dependencies.db), db.destroy()])
    }
  }
  await Promise.all([store.listening(), second.open()])
  // An anonymous user may see what is up to a second old (test/many-processes.test.ts); tests ask for more.
  const both = [
    { app: second, sync: store.sync },
    { app: first, sync },
  ]
  let turn = 0
  const fetch: Guildhall['fetch'] = async (...request) => {
    const next = required(both[turn++ % 2])
    await next.sync()
    return next.app.fetch(...request)
  }
  const writeDownloads = async () => {
    for (const { app } of both) await app.writeDownloads()
  }
  const drain = () => {
    for (const { app } of both) app.drain()
  }
  return { ...first, fetch, writeDownloads, drain }
}

interface PersonOptions {
  app: Guildhall
  config: { baseUrl: string }
  name: string
  prepare: ((account: Account) => Promise<unknown>) | undefined
}

function makePerson({ app, config, name, prepare }: PersonOptions): Person {
  const email = `${name}@example.com`
  const { baseUrl } = config
  const cookies = new CookieJar()
  const send = async (request: Request) => cookies.take(await app.fetch(cookies.give(request)))
  let joined: Promise<Account> | undefined
  const account = () => {
    joined ??= (async () => {
      const { user } = await connect(api, { baseUrl, fetch: send }).accounts.signUp({
        name,
        email,
        password: `${name} has a password`,
      })
      await prepare?.(user)
      return user
    })()
    return joined
  }
  const joinedSend = async (request: Request) => {
    await account()
    return send(request)
  }
  // Assigned to the client, whose functions are made when they are asked for: a copy would ask for all of them.
  return Object.assign(connect(api, { baseUrl, fetch: joinedSend }), {
    email,
    account,
    request: (path: string, init?: RequestInit) => atAddress(joinedSend, new Request(new URL(path, baseUrl), init)),
  })
}

/** Goes from the address that a thing has by its id to the one by its number, as a browser does, unless a test looks at redirects itself. */
export async function atAddress(send: (request: Request) => Promise<Response>, request: Request): Promise<Response> {
  const answer = await send(request)
  const to = answer.status === 301 && request.redirect === 'follow' ? answer.headers.get('location') : null
  const isByNumber = to !== null && /^\/community\/(?:bugs|features|posts|changelog)\/\d{1,9}(?:[-?]|$)/.test(to)
  return isByNumber ? send(new Request(new URL(to, request.url), { headers: request.headers })) : answer
}

function makeAnonymous(app: Guildhall, baseUrl: string): Person {
  const send = async (request: Request) => app.fetch(request)
  return Object.assign(connect(api, { baseUrl, fetch: send }), {
    email: 'anonymous@example.com',
    account: () => Promise.reject(new Error('An anonymous user has no account')),
    request: (path: string, init?: RequestInit) => atAddress(send, new Request(new URL(path, baseUrl), init)),
  })
}
