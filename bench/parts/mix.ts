// A mix of all that members and agents do at the same time: reads, pages, searches, votes and comments, and tools of MCP. Uploads are sent
// beside it (artifact.ts), and webhooks bring events to a receiver.
import { cookieOf, SESSIONS } from './fill-accounts.ts'
import { bugId } from './fill-bugs.ts'
import type { RunningServer } from './load.ts'
import type { Offer } from './offered.ts'

type Request = Offer['requests'][number]

const json = { 'content-type': 'application/json' }

/** A call of a tool, as clients of the protocol of 2025-11-25 send it. */
function tool(name: string, input: object, headers: Record<string, string>): Request {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
  return {
    method: 'POST',
    path: '/api/mcp',
    headers: { ...json, ...accept, ...headers },
    body: JSON.stringify(message),
  }
}

/** What is sent in turn: `count` groups of eleven requests, each by a member with a network of its own, on other bugs. */
export function mixOf(count: number, entries: number, round: number): Request[] {
  return Array.from({ length: count }, (_, n) => {
    const turn = round * count + n
    const bug = bugId((turn * 7_919) % entries)
    const headers = { cookie: cookieOf(turn % SESSIONS), 'x-forwarded-for': `10.0.${turn % SESSIONS}.1` }
    const path = `/api/community/bugs/${bug}`
    const write = (rest: string, body: object): Request => ({
      ...{ method: 'POST', path: `${path}/${rest}`, headers: { ...headers, ...json }, body: JSON.stringify(body) },
    })
    return [
      { path: '/api/community/feed', headers },
      { path: `/api/community/feed?page=${1 + (turn % 40)}` },
      { path, headers },
      { path: `/community/bugs/${bug}`, headers },
      { path: '/community', headers },
      { path: `/api/community/bugs?q=midnight&page=${1 + (turn % 5)}` },
      write('vote', { value: 1 }),
      write('vote', { value: -1 }),
      write('comments', { body: `Seen here too, ${turn} times.` }),
      tool('get_feed', {}, { 'x-forwarded-for': headers['x-forwarded-for'] }),
      tool('list_bugs', { q: 'midnight' }, { 'x-forwarded-for': headers['x-forwarded-for'] }),
    ]
  }).flat()
}

/** Adds webhooks of the community for all events, at paths of an address. The first account is an admin. */
export async function addWebhooks({ url: server }: RunningServer, url: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const headers = { ...json, cookie: cookieOf(0) }
    const init = { method: 'POST', headers, body: JSON.stringify({ url: `${url}/${n}` }) }
    const response = await fetch(`${server}/api/community/admin/webhooks`, init)
    if (!response.ok) throw new Error(`A webhook: ${response.status} ${await response.text()}`)
  }
}
