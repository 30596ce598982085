// Which proxy a request goes through, and the tunnel through it (HTTP CONNECT, RFC 9110, 9.3.6). Node reads these variables itself only
// from version 24 on, so the command line does.
import type * as Https from 'node:https'
import type { Socket } from 'node:net'
import { http, https, tls } from './http.ts'

type Environment = Readonly<Record<string, string | undefined>>

const portOf = ({ protocol, port }: URL) => port || (protocol === 'https:' ? '443' : '80')
const bare = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase()

/** Whether NO_PROXY names this address: hosts, domains with all below them, `host:port`, or `*`. */
function isExempt(target: URL, list: string): boolean {
  const host = bare(target.hostname)
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', port] = entry.match(/^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/) ?? []
      if (port !== undefined && port !== portOf(target)) return false
      const domain = bare(name).replace(/^\*?\./, '')
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
    })
}

/** The proxy for a request to this address, as curl chooses it; undefined for none. */
export function proxyFor(target: URL, environment: Environment): URL | undefined {
  const setting = (name: string) => environment[name.toLowerCase()] || environment[name]
  const scheme = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = setting(scheme) ?? setting('ALL_PROXY')
  if (!proxy || isExempt(target, setting('NO_PROXY') ?? '')) return undefined
  const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`)
  if (!/^https?:$/.test(url.protocol))
    throw new Error(`A proxy by ${url.protocol} cannot be used; http: and https: can`)
  return url
}

/** What a proxy with a name and a password wants to see. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { 'Proxy-Authorization': `Basic ${secret}` }
}

/** Where a request to the proxy itself goes. */
export const proxyAddress = (proxy: URL): { host: string; port: string } => ({
  host: bare(proxy.hostname),
  port: portOf(proxy),
})

export const requestBy = ({ protocol }: URL): typeof Https.request =>
  protocol === 'https:' ? https().request : http().request

/** A TLS connection to the target through the proxy. The proxy sees the name of the target and nothing else. */
export function tunnel(target: URL, proxy: URL, signal: AbortSignal | undefined): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`
  return new Promise((resolve, reject) => {
    const connecting = requestBy(proxy)({
      ...proxyAddress(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyHeaders(proxy) },
      agent: false,
      signal,
    })
    connecting.once('error', reject)
    connecting.once('response', ({ statusCode }) => {
      connecting.destroy()
      reject(new Error(`The proxy ${proxy.host} answered ${statusCode}`))
    })
    connecting.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        return reject(new Error(`The proxy ${proxy.host} answered ${statusCode}`))
      }
      const host = bare(target.hostname)
      const secure = tls().connect({ socket, ...(/^[\d.]+$|:/.test(host) ? { host } : { host, servername: host }) })
      secure.once('error', reject)
      secure.once('secureConnect', () => resolve(secure))
    })
    connecting.end()
  })
}
