// Starts the server: `npm start`. Settings come from the environment (config/settings.ts).

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { returnFreeMemory } from '../runtime/memory.ts'
import { whyItFailed } from '../runtime/why-it-failed.ts'
import { buildSite, watchSite } from '../surfaces/site/build.ts'
import { startCleaning } from './cleaning.ts'
import { startDelivering } from './delivering.ts'

const STOP_MILLISECONDS = 10_000
const SAME_SIGNAL_MILLISECONDS = 1_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** This process among those of WORKERS, from 0. */
const worker = Number(process.env['NODE_WORKER_PLACE'] ?? 0)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** A signal before the server is ready: there are no requests to finish, and exiting ends the child processes too. */
const giveUp = () => process.exit(0)

function settings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) fail(`Guildhall cannot start:\n${error.message}`)
    throw error
  }
}

function listen(server: Server, { port, host }: Pick<Config, 'port' | 'host'>): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

/** Imports the application once the settings are known to be good, so that a bad one is reported at once. */
async function load() {
  const [
    { openDependencies },
    { createApp },
    { grantConfiguredAdmins },
    { createNodeServer, createOperatorServer, stopServer },
    { siteOnce },
  ] = await Promise.all([
    import('./open-dependencies.ts'),
    import('../app.ts'),
    import('../identity/roles.ts'),
    import('../surfaces/http/listen.ts'),
    import('../surfaces/site/open.ts'),
  ])
  return {
    ...{ openDependencies, createApp, grantConfiguredAdmins, siteOnce },
    ...{ createNodeServer, createOperatorServer, stopServer },
  }
}

type Parts = Awaited<ReturnType<typeof load>>

/** `building` is the site's build, which takes longer than all else at a first start. */
async function start(config: Config, building: Promise<void>): Promise<void> {
  const parts = await load()
  const { dependencies, app } = await openApp(config, parts)
  await building
  const { changes } = dependencies
  const server = parts.createNodeServer({ app: app.fetch, observe: app.observe, config, changes })
  const address = await listenForAll(server, config)
  const operators = await listenForOperators(config, () => parts.createOperatorServer(app.operatorFetch))
  dependencies.outbox.start()
  const stopCleaning = startCleaning(dependencies, app.cleanUp)
  const stopDelivering = startDelivering(dependencies, app.deliver)
  if (worker === 0) {
    announce(config, address)
    warn(config)
  }
  setTimeout(returnFreeMemory, 1_000).unref()
  stopOnSignal(async () => {
    stopCleaning()
    stopDelivering()
    app.drain()
    await sleep(config.drainSeconds * 1_000)
    operators?.close()
    operators?.closeAllConnections()
    await parts.stopServer(server, STOP_MILLISECONDS)
    await dependencies.close()
  })
}

/** The application with its database open, its admins granted and its signing key read. */
async function openApp(config: Config, { openDependencies, grantConfiguredAdmins, createApp, siteOnce }: Parts) {
  const dependencies = await openDependencies(config).catch((error: Error) =>
    fail(
      `Guildhall cannot open its database: ${whyItFailed(error)}\nCheck DATABASE_URL and DATA_DIR (${config.dataDir}).`,
    ),
  )
  await grantConfiguredAdmins(dependencies, new Date().toISOString())
  const app = createApp(dependencies, { site: { open: siteOnce(), changes: dependencies.changes } })
  await app
    .open()
    .catch((error: Error) =>
      fail(`Guildhall cannot read or make its signing key: ${whyItFailed(error)}\nCheck DATA_DIR.`),
    )
  await dependencies.join?.()
  await dependencies.checked?.().catch((error: Error) => fail(`Guildhall cannot start: ${whyItFailed(error)}`))
  return { dependencies, app }
}

function listenForAll(server: Server, { port, host }: Config): Promise<AddressInfo> {
  return listen(server, { port, host }).catch((error: NodeJS.ErrnoException) =>
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

/** Stops and exits at a signal. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stoppedAt: number | undefined
  const onSignal = async () => {
    // One signal arrives more than once: from the terminal, from npm and from bin/node.js. A later one is a second request.
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MILLISECONDS) process.exit(1)
      return
    }
    stoppedAt = performance.now()
    await stop()
    process.exit(0)
  }
  for (const signal of SIGNALS) process.off(signal, giveUp).on(signal, onSignal)
}

/** Warnings about optional settings for the operator. */
function warn({ publicOrigin, filesUrl }: Config): void {
  if (publicOrigin && filesUrl === undefined) {
    console.warn(
      'FILES_URL is not set: files that members upload come from the origin of the site. Set it to another host.',
    )
  }
}

function announce({ baseUrl, databaseUrl, mailUrl, host }: Config, { port }: AddressInfo): void {
  const data = databaseUrl.startsWith('postgres') ? `PostgreSQL at ${new URL(databaseUrl).host}` : databaseUrl
  const mail = mailUrl.startsWith('file:')
    ? `${mailUrl.slice('file:'.length)} (one .eml a mail)`
    : new URL(mailUrl).host
  console.log(`Guildhall is at ${baseUrl} (listening on ${host}:${port})
  data   ${data}
  mail   ${mail}
  admin  npm run admin -- grant <email> admin`)
}

const config = settings()
for (const signal of SIGNALS) process.on(signal, giveUp)
if (worker === 0) for (const warning of config.warnings) console.warn(warning)
const building = buildSite(console.log)
building.catch((error: Error) => fail(whyItFailed(error)))
await start(config, building).catch((error: unknown) => fail(`Guildhall cannot start: ${whyItFailed(error)}`))
if (config.development) watchSite(console.log)
