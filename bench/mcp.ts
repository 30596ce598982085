// What MCP costs: a read tool against the same REST call and the SDK's own trivial tool, in one run; and the lists.
import type autocannon from 'autocannon'
import { type Both, figures } from './parts/figures.ts'
import { fill } from './parts/fill-bugs.ts'
import { load, type RunningServer, startServer } from './parts/load.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { cheapest } from './parts/slices.ts'

const FEED = '/api/community/feed'
const MCP = '/api/mcp'
const MODERN = '2026-07-28'
const ROUNDS = 7

const meta = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A message as its era sends it. */
function message(era: string, method: string, params: { name?: string; arguments?: object } = {}): autocannon.Request {
  const modern = era === MODERN
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, ...(modern && { _meta: meta }) } }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era,
    ...(modern && { 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }) }),
  }
  return { method: 'POST', path: MCP, headers, body: JSON.stringify(body) }
}

const microseconds = async (server: RunningServer, request: autocannon.Request): Promise<Both> =>
  (await load(server, { connections: 8, requests: [request], seconds: 2 })).cost

/** A refused call is answered 200 as well, and costs something else. */
async function mustSucceed({ url }: RunningServer, { path, method, headers, body }: autocannon.Request): Promise<void> {
  const init = { method: method!, headers: headers as Record<string, string>, body: body as string }
  const text = await (await fetch(url + path, init)).text()
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(`The call was refused: ${text}`)
}

async function measure(guildhall: RunningServer, bare: RunningServer, era: string): Promise<void> {
  const page = message(era, 'tools/call', { name: 'get_feed', arguments: {} })
  const nothing = message(era, 'tools/call', { name: 'nothing', arguments: {} })
  await mustSucceed(guildhall, page)
  await mustSucceed(bare, nothing)
  const taken: Record<'rest' | 'tool' | 'trivial', Both[]> = { rest: [], tool: [], trivial: [] }
  for (let round = 0; round < ROUNDS; round++) {
    // A cookie that means nothing keeps the answer from being one that is ready.
    taken.rest.push(await microseconds(guildhall, { path: FEED, headers: { cookie: 'theme=dark' } }))
    taken.tool.push(await microseconds(guildhall, page))
    taken.trivial.push(await microseconds(bare, nothing))
  }
  const [rest, tool, trivial] = [cheapest(taken.rest), cheapest(taken.tool), cheapest(taken.trivial)]
  const added = (by: keyof Both) => (tool[by] - rest[by]) / trivial.server
  figures(`${era}: a page of the feed over REST`, rest, 'us of CPU')
  figures(`${era}: the SDK's trivial tool`, trivial, 'us of CPU')
  figures(`${era}: the same page as a tool`, tool, 'us of CPU')
  const tools = { server: added('server'), all: added('all') }
  figures(`${era}: what the tool adds, in trivial tools`, tools, 'x', { sqlite: { atMost: 1.2 } })
  const ratio = { server: tool.server / rest.server, all: tool.all / rest.all }
  figures(`${era}: the tool, against the same page over REST`, ratio, 'x', { postgres: { atMost: 1.3 } })
  for (const method of era === MODERN ? ['tools/list', 'server/discover'] : ['tools/list']) {
    await microseconds(guildhall, message(era, method))
    const { server, all } = await microseconds(guildhall, message(era, method))
    figures(`${era}: ${method}`, { server: server / 1000, all: all / 1000 }, 'ms of CPU', { sqlite: { atMost: 1 } })
  }
}

await inPlaces(async (make) => {
  const { url, environment } = await make('mcp')
  await fill(url, { bugs: rowsOr(20_000), votes: 0, users: 200 })
  const guildhall = await startServer(['src/main.ts'], 4111, FEED, { ...environment, LOG_LEVEL: 'error' })
  const bare = await startServer(['bench/parts/mcp-bare.ts'], 4112, '/')
  for (const era of ['2025-11-25', MODERN]) await measure(guildhall, bare, era)
  await bare.stop()
  await guildhall.stop()
})
