// What attacks on our own programs share: a folder, the program, and a server that passes on what an honest one says until it lies.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, run } from './server.ts'
import type { Target } from './target.ts'

export async function inFolder(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-attack-programs-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Running {
  home: string
  url: string
  input?: string
  /** Whether its deadlines of minutes pass in seconds. */
  isHasty?: boolean
}

/** Runs `guildhall` with its own home. */
export const guildhall = (words: string[], { home, url, input, isHasty }: Running) => {
  const own = { HOME: home, GUILDHALL_HOME: home, GUILDHALL_CONFIG: join(home, 'config') }
  const environment = { PATH: process.env['PATH'] ?? '', GUILDHALL_KEYRING: 'off', GUILDHALL_URL: url, ...own }
  const before = isHasty ? ['--import', join(import.meta.dirname, 'hasty.ts')] : []
  return run([...before, 'cli/src/main.ts', ...words], environment, input)
}

export const ended = ({ code, output }: Ended) => `${code}: ${output.slice(-300)}`

/** Answers a path itself, or not: then the honest server does. */
export type Lie = (path: string, response: ServerResponse) => boolean

interface Liar {
  url: string
  /** What it says of its own. */
  lie: Lie
  /** What it makes of the JSON that the honest server says. */
  alter(value: unknown): unknown
}

/** Passes a request on, and sends the answer back, its JSON as `alter` makes it. */
const passOn =
  (honest: string, liar: Liar): RequestListener =>
  async (request, response) => {
    const chunks = await request.toArray()
    const type = request.headers['content-type']
    const answer = await fetch(`${honest}${request.url}`, {
      method: request.method ?? 'GET',
      ...(type && { headers: { 'Content-Type': type }, body: Buffer.concat(chunks) }),
    })
    const kept = [...answer.headers].filter(
      ([name]) => !/^(connection|transfer-encoding|content-encoding|content-length)$/.test(name),
    )
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.includes('json') && bytes.length > 0
    const said = isJson ? JSON.stringify(liar.alter(JSON.parse(String(bytes)))) : bytes
    response.writeHead(answer.status, Object.fromEntries(kept)).end(said)
  }

/** Runs with a server that passes on what the attacked one says, until it is given a lie. */
export async function besideALiar(target: Target, work: (liar: Liar) => Promise<string>): Promise<string> {
  const liar: Liar = { url: '', lie: () => false, alter: (value) => value }
  const { hostname, port } = target.place
  const honest = passOn(`http://${hostname}:${port}`, liar)
  const server = createServer((request: IncomingMessage, response) => {
    response.on('error', () => {})
    if (!liar.lie(request.url ?? '', response)) return honest(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  liar.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  try {
    return await work(liar)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

export const sendJson = (response: ServerResponse, value: unknown): void =>
  void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
