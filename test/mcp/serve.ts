// A world behind a real port, for clients that speak HTTP themselves.
import type { AddressInfo } from 'node:net'
import type { Guildhall } from '../../src/app.ts'
import { createNodeServer } from '../../src/surfaces/http/listen.ts'

/** Listens on a port of 127.0.0.1 until `close`. */
export async function serve(app: Guildhall, port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const server = createNodeServer({
    app: app.fetch,
    observe: app.observe,
    config: { readers: 'everyone' as const, trustProxy: 0, name: 'Guildhall', baseUrl: 'http://localhost:3000' },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
