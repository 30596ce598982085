// A server between the command line and an honest one, that lies when it is told to.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { listening } from '../../test/listening.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { homeOf } from './items.ts'
import { type RunOptions, type Terminal, terminalOf } from './terminal.ts'

/** An answer in place of the honest one; undefined where it tells the truth. */
export type Lie = (
  path: string,
) => { status?: number; headers?: Record<string, string>; body?: string | object } | undefined

export interface LyingProxy {
  server: string
  /** What is lied about from now on. */
  lie: Lie
}

/** A server that passes everything on to an honest one, but for what it lies about. */
export async function lyingProxy(t: Pick<TestContext, 'after'>, honest: string): Promise<LyingProxy> {
  const proxy: LyingProxy = { server: '', lie: () => undefined }
  const server = createServer((request, answer) => {
    handle(proxy, honest, { request, answer }).catch((error: unknown) => answer.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  proxy.server = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

async function handle(
  { lie }: LyingProxy,
  honest: string,
  { request, answer }: { request: IncomingMessage; answer: ServerResponse },
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const path = request.url ?? ''
  const lied = lie(path)
  if (lied) {
    const { status = 200, headers = {}, body = '' } = lied
    const isText = typeof body === 'string'
    return void answer
      .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body))
  }
  const names = ['authorization', 'content-type', 'prefer', 'idempotency-key']
  const headers = Object.entries(request.headers).filter(([name]) => names.includes(name)) as [string, string][]
  const response = await fetch(`${honest}${path}`, {
    method: request.method ?? 'GET',
    headers,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  const passed = [...response.headers].filter(
    ([name]) => !/^(connection|transfer-encoding|content-encoding)$/.test(name),
  )
  answer.writeHead(response.status, Object.fromEntries(passed)).end(Buffer.from(await response.arrayBuffer()))
}

export interface Liar extends Terminal {
  proxy: LyingProxy
  /** The folder of items of this name, at the server that lies. */
  at(name: string, given?: RunOptions): RunOptions
}

/** A test of commands that speak with a server that can lie. */
export function beforeALiar(sentence: string, body: (liar: Liar) => Promise<void>): void {
  it(sentence, async (t) => {
    const home = await temporaryDirectory(t)
    await listening(t, async (world) => {
      const terminal = terminalOf(world, home)
      const proxy = await lyingProxy(t, terminal.server)
      const at: Liar['at'] = (name, given = {}) => ({
        environment: { GUILDHALL_HOME: homeOf(terminal, name), GUILDHALL_URL: proxy.server },
        ...given,
      })
      await body({ ...terminal, server: proxy.server, proxy, at })
    })
  })
}
