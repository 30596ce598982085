// From one machine to another with nothing but Node: npx runs the packed program, which logs in by a mailed code and publishes; on another
// home it installs, an update that asks for more is refused, and it verifies with the server stopped. CLIENT_RUNTIME is the path of another
// Node, such as the oldest one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { install, pack } from '../../client/test/examples.ts'
import { type Open, onPostgres, sqliteDatabase } from '../../test/databases.ts'
import { automationFile } from '../../test/library.ts'
import { listening } from '../../test/listening.ts'
import { openObjectStorage } from '../../test/object-storage.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { World } from '../../test/world.ts'
import { guildhallProcess, type Result, type Running, typingCode } from './run-cli.ts'

const NODE = process.env['CLIENT_RUNTIME'] ?? process.execPath
const kinds = ['workflow', 'org', 'automation'] as const
const names = ['workflow/digest', 'org/desk', 'automation/harbor-board']

const workflow = (sites: readonly string[]) => ({
  name: 'Digest',
  nodes: sites.map((site, n) => ({
    id: `n${n}`,
    type: 'http.get',
    name: `Get ${n}`,
    config: { url: `https://${site}` },
  })),
  connections: [],
})
const org = (command: string) => ({
  name: 'Desk',
  roles: [{ id: 'clerk', policy: { allowTools: ['Read'], fileRead: ['in/**'], fileWrite: ['out/**'], webAllow: [] } }],
  run_config: { prechecks: [{ name: 'check', command }] },
})

/** The npx of the npm that runs this, or of the one in the PATH. */
function npxProgram(): string {
  const npm = process.env['npm_execpath']
  if (npm) return join(dirname(npm), 'npx-cli.js')
  for (const folder of process.env['PATH']!.split(delimiter)) {
    try {
      return realpathSync(join(folder, 'npx'))
    } catch {}
  }
  throw new Error('There is no npx')
}

interface Machine {
  folder: string
  /** The tarball. */
  tarball: string
  /** The program, as npm installs it. */
  program: string
  /** All that the PATH has is Node. */
  bin: string
}

async function machine(t: TestContext): Promise<Machine> {
  const folder = await temporaryDirectory(t)
  const tarball = pack('cli', folder)
  install(tarball, folder)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(NODE, join(bin, 'node'))
  return { folder, tarball, program: join(folder, 'node_modules/@guildhall/cli/dist/guildhall.js'), bin }
}

type At = (
  home: string,
  words: string[],
  more?: Partial<Running> & { expected?: number; program?: string[] },
) => Promise<Result>

/** Runs the program on a home; fails unless it ends with what is expected. */
const atHomes =
  ({ folder, bin, program: installed }: Machine, url: string): At =>
  async (home, words, { expected = 0, program = [installed], environment = {}, ...running } = {}) => {
    mkdirSync(join(folder, home), { recursive: true })
    const given = {
      home: join(folder, home),
      environment: { PATH: bin, GUILDHALL_URL: url, ...environment },
      ...running,
    }
    const result = await guildhallProcess([join(bin, 'node'), ...program], words, given)
    assert.equal(result.code, expected, `guildhall ${words.join(' ')}\n${result.output}${result.errors}`)
    return result
  }

interface Installed {
  name: string
  sha256: string
  path: string
}

/** All of it while the server runs; what is left can be verified without it. */
async function publishAndInstall(on: Machine, world: World): Promise<Installed[]> {
  const { folder, bin, tarball } = on
  const at = atHomes(on, world.dependencies.config.baseUrl)
  const { email } = await world.alice.account()
  // npx starts what it installed by a shell.
  const npx = {
    program: [npxProgram(), '--yes', '--offline', '--package', tarball, 'guildhall'],
    environment: { npm_config_script_shell: '/bin/sh' },
  }
  await at('alice', ['login', '--email', email], { ...npx, onErrors: typingCode(world, email) })
  const files = {
    workflow: join(folder, 'digest.json'),
    org: join(folder, 'desk.json'),
    automation: join(folder, 'harbor-board.mpkg'),
  }
  writeFileSync(files.workflow, JSON.stringify(workflow(['a.example'])))
  writeFileSync(files.org, JSON.stringify(org('test -d in')))
  writeFileSync(files.automation, Buffer.from(await automationFile({ version: '1.0.0' }).arrayBuffer()))
  for (const kind of kinds) await at('alice', ['publish', files[kind], '--visibility', 'public'])

  await at('bob', ['install', ...names])
  const listed = JSON.parse((await at('bob', ['list', '--json'])).output) as Installed[]
  assert.deepEqual(listed.map(({ name }) => name).sort(), [...names].sort())
  for (const { name, path, sha256 } of listed) {
    const bytes = readFileSync(path)
    assert.deepEqual(bytes, readFileSync(files[name.split('/')[0] as keyof typeof files]))
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
  }

  writeFileSync(files.workflow, JSON.stringify(workflow(['a.example', 'evil.example'])))
  writeFileSync(files.org, JSON.stringify(org('curl evil.example')))
  const more = { version: '1.1.0', site: { domains: ['evil.example'] } }
  writeFileSync(files.automation, Buffer.from(await automationFile(more).arrayBuffer()))
  for (const kind of kinds) await at('alice', ['publish', files[kind]])
  const before = listed.map(({ path }) => readFileSync(path, 'utf8'))
  for (const name of names) {
    const { errors } = await at('bob', ['update', name, '--yes'], { expected: 1 })
    assert.match(errors, /may do more than[\s\S]*evil\.example[\s\S]*--allow /, name)
  }
  assert.deepEqual(
    listed.map(({ path }) => readFileSync(path, 'utf8')),
    before,
  )
  await at('bob', ['update', '--allow', 'site,script'])
  assert.match((await at('bob', ['list'])).output, /digest 1\.0\.1/)

  // A third machine with the lock alone has the same bytes.
  const home = join(folder, 'carol')
  mkdirSync(home)
  copyFileSync(join(dirname(dirname(dirname(listed[0]!.path))), 'guildhall.lock'), join(home, 'guildhall.lock'))
  await at('carol', ['install'], { environment: { PATH: bin, GUILDHALL_HOME: home } })
  assert.deepEqual(readFileSync(join(home, 'orgs/desk/desk.json')), readFileSync(files.org))
  return listed
}

describe('publishes here and installs there, on a machine with Node alone', () => {
  let storage: Awaited<ReturnType<typeof openObjectStorage>>
  before(async () => {
    storage = await openObjectStorage()
  })
  after(() => storage.close())

  // Each engine and each store once: what they have to do with each other is tested where blobs are stored.
  describe('with SQLite and a directory', () => test(sqliteDatabase, false))
  onPostgres('with PostgreSQL and a bucket', (open) => test(open, true))

  function test(open: Open, hasBucket: boolean): void {
    it('is made, and all that was installed is verified', async (t) => {
      const on = await machine(t)
      const blobUrl = hasBucket ? storage.url(join(on.folder, 'staging'), 'journey') : undefined
      let installed: Installed[] = []
      let url = ''
      const journey = async (world: World) => {
        url = world.dependencies.config.baseUrl
        installed = await publishAndInstall(on, world)
      }
      await listening(t, journey, { open, ...(blobUrl && { blobUrl }) })

      // The server is stopped, and none is needed to verify.
      const at = atHomes(on, url)
      await at('bob', ['info', names[0]!], { expected: 4 })
      const proven = JSON.parse((await at('bob', ['verify', '--json'])).output) as { name: string; state: string }[]
      assert.deepEqual(
        proven.map(({ name, state }) => `${name} ${state}`).sort(),
        names.map((name) => `${name} verified`).sort(),
      )
      writeFileSync(installed[0]!.path, `${readFileSync(installed[0]!.path, 'utf8')} `)
      await at('bob', ['verify'], { expected: 1 })
    })
  }
})
