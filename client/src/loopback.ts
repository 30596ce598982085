// Sign-in with the person's own browser: the code comes to a port of this machine (RFC 8252, 7.3).
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beginSignIn } from './main-node.ts'
import { finishSignIn, type ServerOptions } from './sign-in.ts'
import type { Tokens } from './token-endpoint.ts'

export interface BrowserSignIn extends ServerOptions {
  /** A client that registered http://127.0.0.1/callback. */
  clientId: string
  /** Scopes with spaces between them. offline_access gives a refresh token. */
  scope: string
  /** What the tokens are for, if it is not the server itself (RFC 8707). */
  resource?: string | undefined
  /** Opens the address in a browser, or shows it. */
  open(address: string): void | Promise<void>
}

const page = (words: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in</title><p>${words}</p></html>`

/** Tokens, when the person has signed in and agreed. Ends with the signal: give it one with a deadline. */
export async function signInWithBrowser({ open, ...options }: BrowserSignIn): Promise<Tokens> {
  const { url, clientId, scope, resource, fetch, signal } = options
  const server = createServer()
  await listen(server)
  try {
    const { port } = server.address() as AddressInfo
    const redirectUri = `http://127.0.0.1:${port}/callback`
    const { address, pending } = beginSignIn({ url, clientId, scope, resource, redirectUri })
    const arrival = callbackAt(server, { redirectUri, state: pending.state, signal })
    // The browser may fail to open after the code came; the first failure is the one to tell.
    const [callback] = await Promise.all([arrival, open(address)])
    return await finishSignIn(pending, callback, { fetch, signal })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const listen = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })

interface Expected {
  redirectUri: string
  state: string
  signal: AbortSignal | undefined
}

/** The address that the browser comes back to. What belongs to another sign-in is refused and waited past. */
function callbackAt(server: Server, { redirectUri, state, signal }: Expected): Promise<URL> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const callback = new URL(request.url ?? '/', redirectUri)
      const isAnswer = callback.pathname === '/callback' && callback.searchParams.get('state') === state
      const words = isAnswer ? 'Done. You can close this tab.' : 'There is nothing here.'
      response.writeHead(isAnswer ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8', Connection: 'close' })
      response.end(page(words), () => {
        if (!isAnswer) return
        signal?.removeEventListener('abort', stop)
        resolve(callback)
      })
    })
  })
}
