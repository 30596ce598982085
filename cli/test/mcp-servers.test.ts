// MCP servers put into the configuration of agents, and taken out: each file is read again by its format's own parser.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: clients fill these in
import assert from 'node:assert/strict'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { parse as parseToml } from 'smol-toml'
import { temporaryDirectory } from '../../test/temporary.ts'
import { guildhall } from './run-cli.ts'
import { onTerminal, type Terminal } from './terminal.ts'

const server = {
  name: 'com.example/weather',
  description: 'Tells the weather of a place.',
  version: '1.0.0',
  packages: [
    {
      ...{ registryType: 'npm', identifier: '@example/weather', version: '1.0.0', transport: { type: 'stdio' } },
      packageArguments: [{ type: 'named', name: '--units', value: 'metric' }],
      environmentVariables: [
        { name: 'WEATHER_KEY', description: 'Your key', isSecret: true, isRequired: true },
        { name: 'REGION', default: 'eu' },
        { name: 'DEBUG' },
      ],
    },
  ],
}
const remote = {
  ...{ name: 'com.example/rain', description: 'Tells of rain.', version: '1.0.0' },
  remotes: [
    {
      ...{ type: 'streamable-http', url: 'https://rain.example/{region}/mcp' },
      variables: { region: { default: 'eu' } },
      headers: [
        { name: 'X-Plan', value: 'free' },
        { name: 'Authorization', isSecret: true, isRequired: true },
      ],
    },
  ],
}

const args = ['-y', '@example/weather@1.0.0', '--units', 'metric']
const secret = (text: string) => ({ WEATHER_KEY: text, REGION: 'eu' })

const publish = ({ world: { alice } }: Terminal, value: object) =>
  alice.library.publish({
    kind: 'mcp-server',
    visibility: 'public',
    file: new File([JSON.stringify(value)], 'server.json'),
  })

async function project(terminal: Terminal) {
  const folder = join(terminal.home, 'project')
  await mkdir(folder)
  await terminal.run(['init'], { folder })
  const at = { folder, environment: { GUILDHALL_URL: terminal.server } }
  const json = async (path: string) => JSON.parse(await readFile(join(folder, path), 'utf8'))
  const codex = join(terminal.home, '.codex/config.toml')
  return { folder, at, json, codex, toml: async () => parseToml(await readFile(codex, 'utf8')) }
}

onTerminal('install writes each client its own configuration beside what is there, and no secret', async (terminal) => {
  await publish(terminal, server)
  const { folder, at, json, codex, toml } = await project(terminal)
  const mine = { mcpServers: { mine: { command: 'mine' } }, other: 1 }
  await writeFile(join(folder, '.mcp.json'), JSON.stringify(mine))
  await mkdir(dirname(codex), { recursive: true })
  await writeFile(codex, '# My settings\nmodel = "x" # the best\n\n[mcp_servers.mine]\ncommand = "mine"\n')
  await terminal.run(['install', 'mcp-server/com.example_weather', '--client', 'claude,vscode,cursor,codex'], at)
  assert.deepEqual(await json('.mcp.json'), {
    mcpServers: { ...mine.mcpServers, weather: { type: 'stdio', command: 'npx', args, env: secret('${WEATHER_KEY}') } },
    other: 1,
  })
  assert.deepEqual(await json('.vscode/mcp.json'), {
    servers: { weather: { type: 'stdio', command: 'npx', args, env: secret('${input:weather-WEATHER_KEY}') } },
    inputs: [{ type: 'promptString', id: 'weather-WEATHER_KEY', description: 'Your key', password: true }],
  })
  assert.deepEqual(await json('.cursor/mcp.json'), {
    mcpServers: { weather: { command: 'npx', args, env: secret('${env:WEATHER_KEY}') } },
  })
  const weather = { command: 'npx', args, env: { REGION: 'eu' }, env_vars: ['WEATHER_KEY'] }
  assert.deepEqual(JSON.parse(JSON.stringify(await toml())), {
    model: 'x',
    mcp_servers: { mine: { command: 'mine' }, weather },
  })
  assert.match(await readFile(codex, 'utf8'), /^# My settings\nmodel = "x" # the best\n/)
  const lock = await json('guildhall.lock')
  assert.deepEqual(lock.items['mcp-server/com.example_weather'].clients, ['claude', 'vscode', 'cursor', 'codex'])
  await terminal.run(['remove', 'mcp-server/com.example_weather'], at)
  assert.deepEqual(await json('.mcp.json'), mine)
  assert.deepEqual(await json('.vscode/mcp.json'), { servers: {}, inputs: [] })
  assert.deepEqual(JSON.parse(JSON.stringify(await toml())), { model: 'x', mcp_servers: { mine: { command: 'mine' } } })
})

onTerminal('a remote is written with its headers, and a fixed value as it is', async (terminal) => {
  await publish(terminal, remote)
  const { at, json, toml } = await project(terminal)
  await terminal.run(['install', 'mcp-server/com.example_rain', '--client', 'vscode', '--client', 'codex'], at)
  const url = 'https://rain.example/eu/mcp'
  const { servers } = await json('.vscode/mcp.json')
  const headers = { 'X-Plan': 'free', Authorization: '${input:rain-AUTHORIZATION}' }
  assert.deepEqual(servers.rain, { type: 'http', url, headers })
  assert.deepEqual(JSON.parse(JSON.stringify(await toml())).mcp_servers.rain, {
    ...{ url, http_headers: { 'X-Plan': 'free' }, env_http_headers: { Authorization: 'MCP_RAIN_AUTHORIZATION' } },
  })
})

onTerminal('a remote is sent no variable that is there for something else', async (terminal) => {
  const headers = [{ name: 'GITHUB_TOKEN', isSecret: true, isRequired: true }]
  const variables = { region: { isRequired: true } }
  await publish(terminal, { ...remote, remotes: [{ ...remote.remotes[0], headers, variables }] })
  const { at, json } = await project(terminal)
  const install = ['install', 'mcp-server/com.example_rain', '--client']
  await terminal.run([...install, 'claude,cursor'], at)
  const entryOf = async (file: string) => (await json(file)).mcpServers.rain
  assert.deepEqual(await entryOf('.mcp.json'), {
    ...{ type: 'http', url: 'https://rain.example/${MCP_RAIN_REGION}/mcp' },
    headers: { GITHUB_TOKEN: '${MCP_RAIN_GITHUB_TOKEN}' },
  })
  assert.deepEqual(await entryOf('.cursor/mcp.json'), {
    url: 'https://rain.example/${env:MCP_RAIN_REGION}/mcp',
    headers: { GITHUB_TOKEN: '${env:MCP_RAIN_GITHUB_TOKEN}' },
  })
})

onTerminal('text that an agent would fill in from the environment is not written', async (terminal) => {
  const remotes = [{ ...remote.remotes[0], url: 'https://rain.example/mcp?k=${AWS_SECRET_ACCESS_KEY}' }]
  await publish(terminal, { ...remote, remotes })
  const { at, folder } = await project(terminal)
  for (const client of ['claude', 'vscode', 'cursor', 'codex']) {
    const words = ['install', 'mcp-server/com.example_rain', '--client', client, '--yes']
    assert.match((await terminal.run(words, { ...at, expected: 1 })).errors, /fill in from the environment/)
  }
  await assert.rejects(readFile(join(folder, '.mcp.json')), { code: 'ENOENT' })
})

onTerminal('update changes the entry, and nothing that a person wrote is lost without a word', async (terminal) => {
  const { id } = await publish(terminal, server)
  const { folder, at, json } = await project(terminal)
  const own = { mcpServers: { weather: { command: 'mine' } } }
  await writeFile(join(folder, '.mcp.json'), JSON.stringify(own))
  const install = ['install', 'mcp-server/com.example_weather', '--client', 'claude']
  assert.match((await terminal.run(install, { ...at, expected: 1 })).errors, /\.mcp\.json/)
  assert.deepEqual(await json('.mcp.json'), own)
  await terminal.run([...install, '--force'], at)
  const next = { ...server, version: '1.1.0', packages: [{ ...server.packages[0], version: '1.1.0' }] }
  await terminal.world.alice.library.publishVersion({ id, file: new File([JSON.stringify(next)], 'server.json') })
  await terminal.run(['update'], at)
  assert.equal((await json('.mcp.json')).mcpServers.weather.args[1], '@example/weather@1.1.0')
  for (const broken of ['{ // mine\n}', '[]', '{"mcpServers": 3}']) {
    await writeFile(join(folder, '.mcp.json'), broken)
    assert.match((await terminal.run(install, { ...at, expected: 1 })).errors, /\.mcp\.json is left as it is/)
    assert.equal(await readFile(join(folder, '.mcp.json'), 'utf8'), broken)
  }
  assert.match(
    (await terminal.run([...install.slice(0, 3), 'emacs'], { ...at, expected: 2 })).errors,
    /--client is one of/,
  )
})

it('new and lint make a server.json that is valid', async (t) => {
  const home = await temporaryDirectory(t)
  const path = join(home, 'weather.json')
  assert.equal((await guildhall(['new', 'mcp-server', 'Weather', '--output', path], { home })).code, 0)
  assert.ok(await stat(path))
  assert.match((await guildhall(['lint', path], { home })).output, /weather\.json: valid, mcp-server Weather 0\.1\.0\n/)
})
