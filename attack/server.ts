// The server that is attacked when no other is named: a process of its own on a free port, with its own database and folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Report } from './monitor.ts'
import { type Place, placeAt, sendRequest } from './request.ts'

export const ROOT = join(import.meta.dirname, '..')
const START_MILLISECONDS = 180_000
const PROGRAM_MILLISECONDS = 60_000

export interface Mail {
  recipient: string
  subject: string
  body: string
  /** Where it is answered; empty where it is not. */
  replyTo: string
}

export interface Ended {
  code: number | null
  output: string
}

export interface Local {
  place: Place
  dataDir: string
  environment: Record<string, string>
  /** What it printed so far. */
  output(): string
  /** Whether the process still runs. */
  runs(): boolean
  report(): Promise<Report>
  /** Its time, in milliseconds since 1970: on SQLite it stays ahead once it was. */
  time(): Promise<number>
  /** Lets it do at once what it does every few minutes. */
  cleanUp(): Promise<void>
  /** Sets its clock this far ahead. */
  setAhead(seconds: number): Promise<void>
  /** Lets its webhooks go to this machine alone, to a server with a certificate of this authority; null takes it back. */
  reachHome(ca: string | null): Promise<void>
  /** Rows of its database; parameters are `?` on either engine. */
  query(sql: string, ...parameters: (string | number | null)[]): Promise<Record<string, unknown>[]>
  /** Runs an operator's command against its data. */
  admin(...args: string[]): Promise<Ended>
  /** Starts another server with these settings that are wrong, and gives what it says before it ends. */
  misconfigured(settings: Record<string, string>): Promise<Ended>
  /** Mails to an address, oldest first. */
  mails(email: string): Promise<Mail[]>
  close(): Promise<void>
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

interface ServerOptions {
  engine: 'sqlite' | 'postgres'
  /** `{port}` is replaced by the server's port. */
  settings: Record<string, string>
}

const ATTEMPTS = 3

/** Starts a server and resolves when it is ready. Another program can take its port before it listens: then it gets another one. */
export async function startServer(wanted: ServerOptions): Promise<Local> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(wanted)
    } catch (error) {
      if (attempt === ATTEMPTS || !/Port \d+ on \S+ is in use/.test(String(error))) throw error
    }
  }
}

async function startOnce({ engine, settings }: ServerOptions): Promise<Local> {
  const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-attack-'))
  const port = await freePort()
  const database = engine === 'postgres' ? await postgresDatabase() : sqliteDatabase(dataDir)
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...(database.url && { DATABASE_URL: database.url }),
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, value.replace('{port}', String(port))]),
    ),
  }
  // The sources, and not what was built of them: the monitor reaches into modules.
  const child = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'monitor.ts'), 'src/start/processes.ts'],
    {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  const output = collect(child)
  const ask = asking(child)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const place = placeAt(`http://localhost:${port}`, '127.0.0.1')
  const close = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await exited
    clearTimeout(timer)
    await database.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(place, child, output)
  } catch (error) {
    await close()
    throw error
  }
  return {
    place,
    dataDir,
    environment,
    output,
    runs: () => child.exitCode === null && child.signalCode === null,
    report: () => ask<Report>({ ask: 'report' }),
    time: async () => (await ask<{ now: number }>({ ask: 'time' })).now,
    cleanUp: async () => void (await ask({ ask: 'cleanUp' })),
    setAhead: async (aheadSeconds) => void (await ask({ aheadSeconds })),
    reachHome: async (ca) => void (await ask({ ca })),
    query: database.query,
    admin: (...args) => run(['src/admin.ts', ...args], environment),
    misconfigured: (wrong) => run(['src/main.ts'], { ...environment, PORT: '0', ...wrong }),
    mails: (email) => readMails(join(dataDir, 'mail'), email),
    close,
  }
}

async function untilReady(place: Place, child: ChildProcess, output: () => string): Promise<void> {
  const until = Date.now() + START_MILLISECONDS
  for (;;) {
    const ready = await sendRequest(place, { path: '/readyz' }).catch(() => undefined)
    if (ready?.status === 200) return
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`)
    if (Date.now() > until) throw new Error(`The server was not ready in time:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Asks one question at a time: an answer does not say what it is an answer to. */
function asking(child: ChildProcess): <Answer>(question: object) => Promise<Answer> {
  let before: Promise<unknown> = Promise.resolve()
  return <Answer>(question: object) => {
    const answer = before.then(() => askNow<Answer>(child, question))
    before = answer.catch(() => undefined)
    return answer
  }
}

function askNow<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the process does not answer')), 60_000)
    child.once('message', (answer) => {
      clearTimeout(timer)
      resolve(answer as Answer)
    })
    child.send(question)
  })
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  return () => text
}

/** Runs a program of ours to its end, with this on its standard input. */
export function run(args: string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'pipe' })
  child.stdin.on('error', () => {}).end(input)
  const timer = setTimeout(() => child.kill('SIGKILL'), PROGRAM_MILLISECONDS)
  const output = collect(child)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: output() })
    }),
  )
}

interface Database {
  url: string | undefined
  query: Local['query']
  remove(): Promise<void>
}

function sqliteDatabase(dataDir: string): Database {
  return {
    url: undefined,
    async query(sql, ...parameters) {
      const database = new DatabaseSync(join(dataDir, 'guildhall.db'), { timeout: 10_000 })
      try {
        return database.prepare(sql).all(...parameters) as Record<string, unknown>[]
      } finally {
        database.close()
      }
    },
    async remove() {},
  }
}

async function postgresDatabase(): Promise<Database> {
  const server = process.env['TEST_POSTGRES_URL']
  if (!server) throw new Error('Set TEST_POSTGRES_URL to a PostgreSQL server on which a database may be made.')
  const name = `guildhall_attack_${randomUUID().replaceAll('-', '')}`
  const onServer = async (connectionString: string, sql: string, parameters: unknown[] = []) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return (await client.query(sql, parameters)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query(sql, ...parameters) {
      let count = 0
      return onServer(
        url.href,
        sql.replace(/\?/g, () => `$${++count}`),
        parameters,
      )
    },
    remove: async () => void (await onServer(server, `drop database ${name} with (force)`)),
  }
}

async function readMails(folder: string, email: string): Promise<Mail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
  return mails.map(parseMail).filter(({ recipient }) => recipient === email.toLowerCase())
}

const header = (head: string, name: string) =>
  head
    .match(new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'mi'))?.[1]
    ?.replace(/\n[ \t]+/g, ' ')
    .trim() ?? ''

function parseMail(text: string): Mail {
  const at = text.search(/\r?\n\r?\n/)
  const head = text.slice(0, at).replaceAll('\r', '')
  const rest = text.slice(at).replaceAll('\r', '').replace(/^\n+/, '')
  const encoding = header(head, 'Content-Transfer-Encoding').toLowerCase()
  const body =
    encoding === 'base64'
      ? Buffer.from(rest, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? unquote(rest)
        : rest
  return {
    recipient: header(head, 'To')
      .replace(/^.*<|>.*$/g, '')
      .toLowerCase(),
    subject: header(head, 'Subject'),
    replyTo: header(head, 'Reply-To'),
    body,
  }
}

function unquote(text: string): string {
  const latin = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin, 'latin1').toString('utf8')
}
