// A line to a server that a test can cut, delay, or let fall silent: then connections stay open, and what is sent waits until the line
// is open again.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'

type State = 'open' | 'silent' | 'cut'

export interface TcpProxy {
  port: number
  set(state: State): void
  /** Everything takes so many milliseconds longer from now on, in both directions. */
  delay(milliseconds: number): void
}

export async function openProxy(
  t: Pick<TestContext, 'after'>,
  target: { host: string; port: number },
): Promise<TcpProxy> {
  let state: State = 'open'
  let delay = 0
  let waiting = Promise.withResolvers<void>()
  const pairs = new Set<[Socket, Socket]>()
  const passing = async () => {
    if (delay > 0) await setTimeout(delay)
    while (state === 'silent') await waiting.promise
  }
  const server = createServer((near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = connect(target.port, target.host)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near]] as const) {
      let line = Promise.resolve()
      from.on('data', (chunk) => {
        line = line.then(passing).then(() => void to.write(chunk))
      })
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        void line.then(() => to.end(() => to.destroy()))
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const set = (next: State) => {
    state = next
    waiting.resolve()
    waiting = Promise.withResolvers()
    if (next === 'cut') destroyAll()
  }
  t.after(() => {
    server.close()
    set('cut')
  })
  return {
    port: (server.address() as AddressInfo).port,
    set,
    delay(milliseconds) {
      delay = milliseconds
    },
  }
}
