// `npm run attack`: tries every attack that is known here, says what held, and ends with 1 when something gave way.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startService } from '../test/http-service.ts'
import { type Attack, GaveWay, type Need, needs, Skipped } from './attack.ts'
import { PROVIDER_SETTINGS } from './identity-provider.ts'
import { attacks } from './list.ts'
import { placeAt } from './request.ts'
import { freePort, type Local, startServer } from './server.ts'
import { type Credentials, Target } from './target.ts'

const USAGE = `Usage: npm run attack -- [options]

Starts a server of its own and attacks it, or attacks one that is yours and that you may attack:
  --url <origin>         a staging server; attacks that need its files or process are skipped
  --email, --password    accounts there that may be used freely; give both again for a second one
  --new-accounts         make accounts there where none is given
  --harmful              also send much at once to that server
  --engine <name>        sqlite (the default) or postgres (a new database at TEST_POSTGRES_URL)
  --only <words>         only attacks whose name or clause has these words
  --alone                only those that need the machine for themselves: they send much at once, or watch the process
  --beside               only the others, which may run beside something else
  --list                 only say what there is`

type Outcome = 'held' | 'GAVE WAY' | 'skipped' | 'BROKEN'

interface Result {
  attack: Attack
  outcome: Outcome
  evidence: string
}

async function attempt(attack: Attack, target: Target): Promise<Result> {
  const missing = attack.needs?.find((need) => !target.offers.has(need))
  if (missing) return { attack, outcome: 'skipped', evidence: needs[missing] }
  try {
    return { attack, outcome: 'held', evidence: await attack.run(target) }
  } catch (error) {
    if (error instanceof GaveWay) return { attack, outcome: 'GAVE WAY', evidence: error.message }
    if (error instanceof Skipped) return { attack, outcome: 'skipped', evidence: error.message }
    if (target.local && !target.local.runs()) {
      return { attack, outcome: 'GAVE WAY', evidence: `the process ended: ${target.local.output().slice(-500)}` }
    }
    return { attack, outcome: 'BROKEN', evidence: `the attack itself failed: ${(error as Error).stack ?? error}` }
  }
}

const line = ({ attack: { name, clause }, outcome, evidence }: Result) =>
  `${outcome.padEnd(8)}  ${clause.padEnd(13)}  ${name}${outcome === 'held' ? '' : `\n${' '.repeat(25)}${evidence}`}`

interface Options {
  url?: string
  email?: string[]
  password?: string[]
  'new-accounts'?: boolean
  harmful?: boolean
  engine?: string
  only?: string
  alone?: boolean
  beside?: boolean
  list?: boolean
}

/** Whether what else the machine does changes the outcome: its limits are times, or the memory of the process. */
const isAlone = ({ needs: some = [] }: Attack) => some.includes('load') || some.includes('process')

const chosen = ({ only = '', alone = false, beside = false }: Options) =>
  attacks
    .filter(({ name, clause }) => `${clause} ${name}`.toLowerCase().includes(only.toLowerCase()))
    .filter((attack) => alone === beside || isAlone(attack) === alone)

interface Targets {
  unlimited: Target
  limited: Target
  close(): Promise<void>
}

const ALL = Object.keys(needs) as Need[]

/** Two servers: one without limits for what is tried often, one with them and behind a proxy that is believed. */
async function ownTargets(engine: string, wanted: readonly Attack[]): Promise<Targets> {
  if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine is sqlite or postgres.')
  const started: Local[] = []
  const service = await startService('/v1/chat/completions')
  const close = async () => void (await Promise.all(started.map((server) => server.close())))
  const start = async (settings: Record<string, string>) => {
    const server = await startServer({
      engine,
      settings: {
        ADMIN_EMAILS: 'owner@example.com',
        METRICS_TOKEN: 'a-token-of-the-operator',
        PRIVATE_SERVICES: service.host,
        MCP_SCRIPTS: 'on',
        REPLY_DOMAIN: 'reply.guild.example',
        SMTP_LISTEN: `127.0.0.1:${await freePort()}`,
        TRUSTED_AUTHSERV: 'mx.guild.example',
        ...PROVIDER_SETTINGS,
        // Of no app: only the server has them.
        SLACK_SIGNING_SECRET: randomBytes(16).toString('hex'),
        DISCORD_PUBLIC_KEY: randomBytes(32).toString('hex'),
        ...settings,
      },
    })
    started.push(server)
    return server
  }
  try {
    // One after the other: the first builds the site if it was not built.
    const plain = await start({ RATE_LIMITS: 'off' })
    const unlimited = new Target({
      place: plain.place,
      local: plain,
      service,
      offers: ALL.filter((need) => need !== 'networks'),
    })
    if (!wanted.some(({ limited }) => limited)) return { unlimited, limited: unlimited, close }
    const strict = await start({ TRUST_PROXY: '1', FILES_URL: 'http://127.0.0.1:{port}' })
    return { unlimited, limited: new Target({ place: strict.place, local: strict, service, offers: ALL }), close }
  } catch (error) {
    await close()
    throw error
  }
}

function remoteTargets(url: string, options: Options): Targets {
  const accounts: Credentials[] = (options.email ?? []).map((email, index) => {
    const password = options.password?.[index]
    if (password === undefined) throw new Error('Give a --password for every --email.')
    return { email, password }
  })
  const offers: Need[] = []
  if (accounts.length > 1 || options['new-accounts']) offers.push('accounts')
  if (options.harmful) offers.push('load')
  const target = new Target({ place: placeAt(url), offers, accounts })
  return { unlimited: target, limited: target, close: async () => {} }
}

async function run(options: Options): Promise<number> {
  const wanted = chosen(options)
  if (options.list) {
    for (const { clause, name } of wanted) console.log(`${clause.padEnd(13)}  ${name}`)
    return 0
  }
  if (wanted.length === 0) throw new Error(`No attack has ${options.only} in its name or clause.`)
  const started = performance.now()
  const targets = options.url
    ? remoteTargets(options.url, options)
    : await ownTargets(options.engine ?? 'sqlite', wanted)
  const results: Result[] = []
  try {
    for (const attack of wanted) {
      const result = await attempt(attack, attack.limited ? targets.limited : targets.unlimited)
      results.push(result)
      console.log(line(result))
    }
  } finally {
    await targets.close()
  }
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length
  const [held, gaveWay, broken, skipped] = [count('held'), count('GAVE WAY'), count('BROKEN'), count('skipped')]
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`\n${held} held, ${gaveWay} gave way, ${broken} broken, ${skipped} skipped, in ${seconds} s`)
  return gaveWay + broken > 0 ? 1 : 0
}

function options(): Options {
  const many = { type: 'string', multiple: true } as const
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      email: many,
      password: many,
      'new-accounts': { type: 'boolean' },
      harmful: { type: 'boolean' },
      engine: { type: 'string' },
      only: { type: 'string' },
      alone: { type: 'boolean' },
      beside: { type: 'boolean' },
      list: { type: 'boolean' },
    },
  })
  return values
}

try {
  process.exitCode = await run(options())
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`)
  process.exitCode = 2
}
