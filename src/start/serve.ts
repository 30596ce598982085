// Starts the server of one process.
import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Guildhall } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Listener } from '../mail/incoming/listener.ts'
import type { Dependencies } from '../request/handler.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { timestamp } from '../runtime/clock.ts'
import { FolderError } from '../runtime/durable.ts'
import { asInstalled } from '../runtime/installation.ts'
import type { Log } from '../runtime/log.ts'
import { markLessOften, returnMemoryWhenIdle } from '../runtime/memory.ts'
import { surviveOutages, whyItFailed } from '../runtime/outage.ts'

const STOP_MILLISECONDS = 10_000
const SAME_SIGNAL_MILLISECONDS = 1_000
/** How long a stop waits for batches that have begun: what they have not done goes on in another process, or after the next start. */
const JOBS_MILLISECONDS = 3_000
/** A stop that takes this much longer than its parts may is stuck: what was acknowledged is on disk, so the process ends. */
const STUCK_MILLISECONDS = 15_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** This process among those of WORKERS, from 0. */
const worker = Number(process.env['NODE_WORKER_PLACE'] ?? 0)

function fail(message: string): never {
  console.error(asInstalled(message))
  process.exit(1)
}

/** What a signal does. Before the server is ready there are no requests to finish, and exiting ends the child processes too. */
let onSignal: () => unknown = () => process.exit(0)

/** The first socket that systemd passes on (sd_listen_fds(3)); there is one. */
const FIRST_GIVEN = 3

/** Whether systemd has opened the port for this process, or for the one that started it with WORKERS. */
const isGivenSocket = (): boolean =>
  process.env['LISTEN_FDS'] === '1' &&
  [process.pid, ...(cluster.isWorker ? [process.ppid] : [])].includes(Number(process.env['LISTEN_PID']))

type Place = Pick<Config, 'port' | 'host'> | { fd: number }

function listen(server: Server, place: Place): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(place, () => resolve(server.address() as AddressInfo))
  })
}

/** Opens the database before the rest of the application is imported: a large one is checked in the meantime (packages/durable-sqlite/src/check.ts). */
async function load(config: Config, replaced: DependencyOverrides) {
  const { openDependencies } = await import('./open-dependencies.ts')
  const opened = await openDependencies(config).catch((error: Error) =>
    fail(
      error instanceof FolderError
        ? `Guildhall cannot start: ${error.message}.\nSet DATA_DIR and BLOB_URL to folders that it can make.`
        : `Guildhall cannot open its database: ${whyItFailed(error)}\nCheck DATABASE_URL and DATA_DIR (${config.dataDir}).`,
    ),
  )
  const dependencies = { ...opened, ...replaced }
  const [
    { createApp },
    { grantConfiguredAdmins },
    { renewSetupLink },
    { createNodeServer, createOperatorServer, stopServer },
    { siteOnce },
    { buildSite, watchSite },
  ] = await Promise.all([
    import('../app.ts'),
    import('../identity/roles.ts'),
    import('../accounts/setup/setup.ts'),
    import('../surfaces/http/listen.ts'),
    import('../surfaces/site/open.ts'),
    import('../surfaces/site/build.ts'),
  ])
  return {
    ...{ dependencies, createApp, grantConfiguredAdmins, renewSetupLink, siteOnce, buildSite, watchSite },
    ...{ createNodeServer, createOperatorServer, stopServer },
  }
}

type Parts = Awaited<ReturnType<typeof load>>
/** A benchmark's webhooks may reach this machine. */
type DependencyOverrides = Pick<Dependencies, 'reach'>

/** Starts the server; ends the process with a message when it cannot start. */
export async function serve(config: Config, replaced: DependencyOverrides = {}): Promise<void> {
  // One listener for good: a signal that arrives while a listener is replaced would be lost.
  for (const signal of SIGNALS) process.on(signal, () => onSignal())
  if (worker === 0) for (const warning of config.warnings) console.warn(warning)
  await start(config, replaced).catch((error: unknown) => fail(`Guildhall cannot start: ${whyItFailed(error)}`))
}

async function start(environment: Config, replaced: DependencyOverrides): Promise<void> {
  const parts = await load(environment, replaced)
  const { dependencies } = parts
  const { config, changes, log } = dependencies
  surviveOutages(dependencies.health)
  // At a first start it takes longer than all else.
  const building = parts.buildSite(console.log)
  building.catch((error: Error) => fail(whyItFailed(error)))
  const app = await openApp(parts)
  if (await building) (await import('./next-start.ts')).buildForNextStart()
  const requestLog = () => (config.requestLog ? log : undefined)
  const { fetch, observe } = app
  const members = dependencies
  const server = parts.createNodeServer({ app: fetch, observe, config, changes, members, requestLog })
  const address = await listenForAll(server, config)
  const operators = await listenForOperators(config, () => parts.createOperatorServer(app.operatorFetch))
  const mailListener = await listenForMails(config, app, log)
  dependencies.outbox.onMail(() => app.jobs.wake('mail.send'))
  app.jobs.start()
  if (worker === 0) {
    announce(config, address, await parts.renewSetupLink(dependencies))
    warn(config)
  }
  markLessOften()
  returnMemoryWhenIdle({ shrink: () => dependencies.shrink?.() })
  stopOnSignal(async () => {
    const jobsEnded = app.jobs.stop()
    app.drain()
    await sleep(config.drainSeconds * 1_000)
    await mailListener?.close()
    operators?.close()
    operators?.closeAllConnections()
    await parts.stopServer(server, STOP_MILLISECONDS)
    await Promise.race([jobsEnded, sleep(JOBS_MILLISECONDS)])
    await app
      .writeDownloads()
      .catch((err: unknown) => dependencies.log.error({ err }, 'downloads could not be counted'))
    await dependencies.close()
  }, config)
  if (config.development) parts.watchSite(console.log)
}

/** The application with its admins granted, its signing key read and its database checked. */
async function openApp({ dependencies, grantConfiguredAdmins, createApp, siteOnce }: Parts): Promise<Guildhall> {
  await dependencies.settings.reload()
  await grantConfiguredAdmins(dependencies, timestamp(dependencies.clock.now()))
  const app = createApp(dependencies, { site: { open: siteOnce(), changes: dependencies.changes } })
  await app
    .open()
    .catch((error: Error) =>
      fail(`Guildhall cannot read or make its signing key: ${whyItFailed(error)}\nCheck DATA_DIR.`),
    )
  await dependencies.join?.()
  await dependencies.checked?.().catch((error: Error) => fail(`Guildhall cannot start: ${whyItFailed(error)}`))
  return app
}

function listenForAll(server: Server, { port, host }: Config): Promise<AddressInfo> {
  return listen(server, isGivenSocket() ? { fd: FIRST_GIVEN } : { port, host }).catch((error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use; set PORT to another.`
        : `Guildhall cannot listen on ${host}:${port}: ${error.message}`,
    ),
  )
}

/** Listens on METRICS_PORT, if it is set; each further process has the next port, because it has its own figures. */
async function listenForOperators({ metricsPort }: Config, create: () => Server): Promise<Server | undefined> {
  if (metricsPort === undefined) return undefined
  const operators = create()
  const port = metricsPort + worker
  await listen(operators, { port, host: '127.0.0.1' }).catch((error: NodeJS.ErrnoException) =>
    fail(`Guildhall cannot listen on METRICS_PORT ${port}: ${error.message}; set it to another.`),
  )
  return operators
}

/** Listens on SMTP_LISTEN, if it is set. */
async function listenForMails(
  { smtpListen, replyDomain = '' }: Config,
  app: Guildhall,
  log: Log,
): Promise<Listener | undefined> {
  if (smtpListen === undefined) return undefined
  const { listenForMail } = await import('../mail/incoming/listener.ts')
  return listenForMail(smtpListen, { ...app.mailDoor, name: replyDomain, log }).catch((error: Error) =>
    fail(`Guildhall cannot listen on SMTP_LISTEN ${smtpListen.host}:${smtpListen.port}: ${error.message}`),
  )
}

/** Stops and exits at a signal, with 1 where the stop is stuck. */
function stopOnSignal(stop: () => Promise<void>, { drainSeconds }: Pick<Config, 'drainSeconds'>): void {
  let stoppedAt: number | undefined
  onSignal = async () => {
    // One signal arrives more than once: from the terminal, from npm and from bin/node.js. A later one is a second request.
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MILLISECONDS) process.exit(1)
      return
    }
    stoppedAt = performance.now()
    const most = drainSeconds * 1_000 + STOP_MILLISECONDS + JOBS_MILLISECONDS + STUCK_MILLISECONDS
    setTimeout(() => fail('Guildhall did not stop in time, and ends at once.'), most).unref()
    await stop()
    process.exit(0)
  }
}

/** Warnings about optional settings for the operator. */
function warn({ publicOrigin, filesUrl }: Config): void {
  if (publicOrigin && filesUrl === undefined) {
    console.warn(
      'FILES_URL is not set: files that members upload come from the origin of the site. Set it to another host.',
    )
  }
}

function announce({ baseUrl, databaseUrl, mailUrl, host }: Config, { port }: AddressInfo, setup?: string): void {
  const data = isPostgres(databaseUrl) ? `PostgreSQL at ${new URL(databaseUrl).host}` : databaseUrl
  const mail = mailUrl.startsWith('file:')
    ? `${mailUrl.slice('file:'.length)} (one .eml a mail)`
    : new URL(mailUrl).host
  const link = setup === undefined ? '' : `\n  setup  ${setup} (for you alone: it makes the first admin)`
  console.log(`Guildhall is at ${baseUrl} (listening on ${host}:${port})
  data   ${data}
  mail   ${mail}
  admin  ${asInstalled('npm run admin -- grant <email> admin')}${link}`)
}
