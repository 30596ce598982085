// What MCP costs: a read tool against the same REST call and the SDK's own trivial tool, in one run; and the lists.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type autocannon from 'autocannon'
import { figure, median } from './figures.ts'
import { fill } from './fill.ts'
import { load, type RunningServer, startServer } from './load.ts'

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

const microseconds = async (server: RunningServer, request: autocannon.Request) =>
  1e6 / (await load(server, { connections: 8, requests: [request], seconds: 2 })).perCpuSecond

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
  const taken = { rest: [] as number[], tool: [] as number[], trivial: [] as number[], ratio: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    // A cookie that means nothing keeps the answer from being one that is ready.
    const rest = await microseconds(guildhall, { path: FEED, headers: { cookie: 'theme=dark' } })
    const tool = await microseconds(guildhall, page)
    const trivial = await microseconds(bare, nothing)
    if (round < 2) continue
    taken.rest.push(rest)
    taken.tool.push(tool)
    taken.trivial.push(trivial)
    taken.ratio.push((tool - rest) / trivial)
  }
  figure(`${era}: a page of the feed over REST`, median(taken.rest), 'us of CPU')
  figure(`${era}: the SDK's trivial tool`, median(taken.trivial), 'us of CPU')
  figure(`${era}: the same page as a tool`, median(taken.tool), 'us of CPU')
  figure(`${era}: what the tool adds, in trivial tools`, median(taken.ratio), 'x', { atMost: 1.2 })
  for (const method of era === MODERN ? ['tools/list', 'server/discover'] : ['tools/list']) {
    await microseconds(guildhall, message(era, method))
    const cost = (await microseconds(guildhall, message(era, method))) / 1000
    figure(`${era}: ${method}`, cost, 'ms of CPU', { atMost: 1 })
  }
}

// Beside the project, like the other benches' data.
const folder = mkdtempSync('bench-data-')
try {
  const data = join(folder, 'mcp')
  mkdirSync(data)
  await fill(join(data, 'guildhall.db'), { bugs: 20_000, votes: 0, users: 200 })
  const guildhall = await startServer(['src/main.ts'], 4111, FEED, { DATA_DIR: data, NODE_ENV: '', LOG_LEVEL: 'error' })
  const bare = await startServer(['bench/mcp-bare.ts'], 4112, '/')
  for (const era of ['2025-11-25', MODERN]) await measure(guildhall, bare, era)
  await bare.stop()
  await guildhall.stop()
} finally {
  rmSync(folder, { recursive: true })
}
