// A line to a server that a test can cut, or let fall silent: connections stay open, and nothing comes through.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

type State = 'open' | 'silent' | 'cut'

export interface TcpProxy {
  port: number
  set(state: State): void
}

export async function openProxy(
  t: Pick<TestContext, 'after'>,
  target: { host: string; port: number },
): Promise<TcpProxy> {
  let state: State = 'open'
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = connect(target.port, target.host)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('data', (chunk) => state === 'open' && to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next
      if (next === 'cut') for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
  }
}
