// One process, or with WORKERS several that share the port: then this one starts them, passes signals on and replaces one that
// ended. Settings come from the environment (config/settings.ts).
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { asInstalled } from '../runtime/installation.ts'
import { whyItFailed } from '../runtime/outage.ts'

/** A worker that ends sooner cannot start; a later end is a crash. */
const START_MILLISECONDS = 10_000
const RESTART_MILLISECONDS = 1_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Read before the application is imported, so that a wrong setting is reported at once. */
function settings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Guildhall cannot start:\n${asInstalled(error.message)}`)
    process.exit(1)
  }
}

class Supervisor {
  #isStopping = false
  #exitCode = 0

  async run(count: number): Promise<void> {
    const { buildSite } = await import('../surfaces/site/build.ts')
    if (await buildSite(console.log)) (await import('./next-start.ts')).buildForNextStart()
    for (const signal of SIGNALS) process.on(signal, () => this.#stop(signal))
    for (let place = 0; place < count; place++) this.#fork(place)
  }

  #fork(place: number): void {
    const startedAt = performance.now()
    const worker = cluster.fork({ NODE_WORKER_PLACE: String(place) })
    worker.on('exit', (code) => this.#replace(place, code, performance.now() - startedAt))
  }

  async #replace(place: number, code: number | null, lifetime: number): Promise<void> {
    if (!this.#isStopping && lifetime > START_MILLISECONDS) {
      console.error(`Worker ${place} ended with ${code ?? 'a signal'}; another one takes its place.`)
      await sleep(RESTART_MILLISECONDS)
      if (!this.#isStopping) return this.#fork(place)
    } else if (code !== 0 && !(this.#isStopping && code === null)) this.#exitCode = code ?? 1
    // To a process that stops, a second signal means: at once.
    if (!this.#isStopping) this.#stop('SIGTERM')
    if (running().length === 0) process.exit(this.#exitCode)
  }

  #stop(signal: NodeJS.Signals): void {
    this.#isStopping = true
    for (const worker of running()) worker.process.kill(signal)
  }
}

const running = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const config = settings()
if (config.workers === 1 || cluster.isWorker) {
  const { serve } = await import('./serve.ts')
  await serve(config)
} else {
  await new Supervisor().run(config.workers).catch((error: unknown) => {
    console.error(`Guildhall cannot start: ${asInstalled(whyItFailed(error))}`)
    process.exit(1)
  })
}
