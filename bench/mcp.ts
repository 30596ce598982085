// What MCP costs above the same call over REST, against a bare server of the protocol's own package in the same run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { figure, median } from './figures.ts'
import { fill } from './fill.ts'
import { load, type RunningServer, startServer } from './load.ts'

const ROUNDS = 3
const ERA = '2026-07-28'
// An address that is not kept as a ready answer would be: what is compared is the work, not the shelf.
const REST = '/api/community/bugs?page=1'

/** A request of the current era. */
function message(method: string, params: Record<string, unknown> = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': ERA,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}
  return {
    method: 'POST' as const,
    path: '/api/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': ERA,
      'mcp-method': method,
      ...name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  }
}

const listBugs = message('tools/call', { name: 'list_bugs', arguments: { page: 1 } })
const nothing = message('tools/call', { name: 'nothing', arguments: {} })
// A token nobody has makes a stranger, whose answer is made each time.
const rest = { method: 'GET' as const, path: REST, headers: { authorization: 'Bearer nobody' } }

const milliseconds = async (server: RunningServer, request: ReturnType<typeof message> | typeof rest) =>
  1000 / (await load(server, { connections: 16, requests: [request] })).perCpuSecond

const folder = mkdtempSync('bench-data-')
try {
  mkdirSync(join(folder, 'data'))
  await fill(join(folder, 'data', 'guildhall.db'), { bugs: 20_000, votes: 0, users: 2_000 })
  const env = { DATA_DIR: join(folder, 'data'), NODE_ENV: '', LOG_LEVEL: 'info' }
  const guildhall = await startServer(['src/main.ts'], 4121, '/readyz', env)
  const bare = await startServer(['bench/mcp-bare.ts'], 4122, '/')
  const rounds: Record<'tool' | 'list' | 'discover', number[]> = { tool: [], list: [], discover: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const trivial = await milliseconds(bare, nothing)
    const byRest = await milliseconds(guildhall, rest)
    const byTool = await milliseconds(guildhall, listBugs)
    rounds.tool.push((byTool - byRest) / trivial)
    rounds.list.push(await milliseconds(guildhall, message('tools/list')))
    rounds.discover.push(await milliseconds(guildhall, message('server/discover')))
    console.log(
      `  CPU in ms: REST ${byRest.toFixed(2)}, the same as a tool ${byTool.toFixed(2)}, the trivial tool ${trivial.toFixed(2)}`,
    )
  }
  figure('a tool for reading above REST, in trivial tools', median(rounds.tool), 'x', { atMost: 1.2 })
  figure('tools/list', median(rounds.list), 'ms of CPU', { atMost: 1 })
  figure('server/discover', median(rounds.discover), 'ms of CPU', { atMost: 1 })
  await bare.stop()
  await guildhall.stop()
} finally {
  rmSync(folder, { recursive: true })
}
