// A forward proxy: tunnels by CONNECT, passes on requests with a whole address, and keeps what it was asked.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface ForwardProxy {
  url: string
  /** The first lines of what it was asked, such as `CONNECT example.com:443`. */
  asked: string[]
  /** The credentials that it wants; none unless set. */
  credentials: string | undefined
}

export async function forwardProxy(t: Pick<TestContext, 'after'>): Promise<ForwardProxy> {
  const proxy: ForwardProxy = { url: '', asked: [], credentials: undefined }
  const isAllowed = ({ headers }: IncomingMessage) =>
    proxy.credentials === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(proxy.credentials).toString('base64')}`
  const server = createServer((incoming, answer) => {
    proxy.asked.push(`${incoming.method} ${incoming.url}`)
    if (!isAllowed(incoming)) return void answer.writeHead(407).end()
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const onward = request(incoming.url ?? '', { method: incoming.method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  const sockets = new Set<Socket>()
  server.on('connect', (incoming: IncomingMessage, near: Socket) => {
    proxy.asked.push(`CONNECT ${incoming.url}`)
    if (!isAllowed(incoming)) return void near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [host = '', port = ''] = incoming.url?.split(':') ?? []
    const far = connect(Number(port), host, () => near.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return proxy
}
