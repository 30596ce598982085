// `guildhall mcp` by a client that nobody here wrote: the SDK's own, which starts it as a process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { main } from '../src/program.ts'
import { onTerminal, type Terminal } from './terminal.ts'

const PROGRAM = resolve(import.meta.dirname, '../src/main.ts')

async function connect({ home, server }: Terminal, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'a-client', version: '1.0.0' }, { versionNegotiation: { mode } })
  const env = { HOME: home, GUILDHALL_CONFIG: join(home, 'config'), GUILDHALL_URL: server }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }))
  return client
}

const bug = { title: 'Crash', description: 'On \u001b[31mstart', severity: 'high' }

for (const mode of ['legacy', 'auto'] as const) {
  onTerminal(`mcp carries tools and resources with the kept credentials (${mode})`, async (terminal) => {
    await terminal.login()
    const client = await connect(terminal, mode)
    assert.ok((await client.listTools()).tools.length > 13)
    const filed = await client.callTool({ name: 'create_bug', arguments: bug })
    // What is not seen is six characters for a model.
    const { description } = filed.structuredContent as { description: string }
    assert.equal(description, bug.description.replace('\u001b', String.raw`\u001b`))
    const [one, two] = await Promise.all([
      client.callTool({ name: 'get_feed', arguments: {} }),
      client.callTool({ name: 'create_bug', arguments: { ...bug, title: 'Again' } }),
    ])
    assert.equal((one.structuredContent as { items: unknown[] }).items.length > 0, true)
    assert.equal((two.structuredContent as { title: string }).title, 'Again')
    await client.close()
  })
}

onTerminal('mcp renews credentials that have expired', async (terminal) => {
  await terminal.login()
  const path = join(terminal.home, 'config/profiles/default.json')
  const tokens = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...tokens, accessToken: 'no-longer-good' }))
  const client = await connect(terminal, 'legacy')
  await client.callTool({ name: 'create_bug', arguments: bug })
  const renewed = JSON.parse(await readFile(path, 'utf8'))
  assert.notEqual(renewed.refreshToken, tokens.refreshToken)
  await client.close()
})

onTerminal('mcp reads without an account, and says how to sign in', async (terminal) => {
  const client = await connect(terminal, 'auto')
  await client.callTool({ name: 'get_feed', arguments: {} })
  await assert.rejects(client.callTool({ name: 'create_bug', arguments: bug }), /guildhall login/)
  await client.close()
})

onTerminal(
  'mcp answers what is no message, escapes what a terminal would obey, and ends with its input',
  async (terminal) => {
    const { world, server, home } = terminal
    await world.bob.bugs.create({ title: 'Red \u009b1m', description: bug.description, severity: 'low' })
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'get_feed', arguments: {} } }
    const input = `no message\r\n\n${JSON.stringify(call)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":8,"method":"none"}`
    const { output } = await terminal.run(['mcp'], { environment: { GUILDHALL_URL: server } }, input)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    assert.doesNotMatch(output, /[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/)
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(answers.map(({ id }) => id).sort(), [7, 8, null])
    const codes = answers.map(({ id, error }) => `${id} ${error?.code}`)
    assert.ok(codes.includes('null -32700') && codes.includes('8 -32601'), codes.join())
    assert.equal(answers.find(({ id }) => id === 7).result.structuredContent.items[0].title, 'Red 1m')

    const stdin = new PassThrough()
    const interruption = new AbortController()
    const stdout = new PassThrough()
    const running = main(['mcp'], {
      environment: { GUILDHALL_URL: server, GUILDHALL_CONFIG: join(home, 'config') },
      ...{ stdin, stdout, stderr: new PassThrough(), signal: interruption.signal },
    })
    stdin.write('no message\n')
    await once(stdout, 'data')
    interruption.abort(new Error('Interrupted'))
    assert.equal(await running, 0)
  },
)
