// From one machine to another with nothing but Node: the packed program logs in by a mailed code and publishes; on another home it
// installs, verifies without the server, and an update that asks for more is refused. CLIENT_RUNTIME is the path of another Node, such as the oldest one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { install, pack } from '../../client/test/examples.ts'
import { automationFile } from '../../test/library.ts'
import { listening } from '../../test/listening.ts'
import { oauthClient } from '../../test/oauth.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { guildhallProcess, type Running } from './run-cli.ts'

const NODE = process.env['CLIENT_RUNTIME'] ?? process.execPath

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

it('publishes here and installs there, on a machine with Node alone', async (t) => {
  const folder = await temporaryDirectory(t)
  install(pack('cli', folder), folder)
  // All that the PATH has is Node: no shell, no npm, no curl.
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(NODE, join(bin, 'node'))
  const program = join(folder, 'node_modules/@guildhall/cli/dist/guildhall.js')
  await listening(t, async (world) => {
    const { baseUrl } = world.dependencies.config
    const at = async (home: string, words: string[], more: Partial<Running> & { expected?: number } = {}) => {
      const { expected = 0, ...running } = more
      mkdirSync(join(folder, home), { recursive: true })
      const given = { home: join(folder, home), environment: { PATH: bin, GUILDHALL_URL: baseUrl }, ...running }
      const result = await guildhallProcess([join(bin, 'node'), program], words, given)
      assert.equal(result.code, expected, `guildhall ${words.join(' ')}\n${result.output}${result.errors}`)
      return result
    }
    const { email } = await world.alice.account()
    let isAsked = false
    await at('alice', ['login', '--email', email], {
      onErrors(errors, type) {
        if (isAsked || !errors.includes('Code: ')) return
        isAsked = true
        oauthClient(world).code(email).then(type, type)
      },
    })
    const files = {
      workflow: join(folder, 'digest.json'),
      org: join(folder, 'desk.json'),
      automation: join(folder, 'harbor-board.mpkg'),
    }
    writeFileSync(files.workflow, JSON.stringify(workflow(['a.example'])))
    writeFileSync(files.org, JSON.stringify(org('test -d in')))
    writeFileSync(files.automation, Buffer.from(await automationFile({ version: '1.0.0' }).arrayBuffer()))
    for (const path of Object.values(files)) await at('alice', ['publish', path, '--visibility', 'public'])

    const names = ['workflow/digest', 'org/desk', 'automation/harbor-board']
    await at('bob', ['install', ...names])
    const home = join(folder, 'bob/.local/share/guildhall')
    const installed = (kind: keyof typeof files) =>
      join(home, `${kind}s`, files[kind].split('/').at(-1)!.replace(/\..*/, ''), files[kind].split('/').at(-1)!)
    if (process.platform === 'linux') {
      for (const kind of ['workflow', 'org', 'automation'] as const)
        assert.deepEqual(readFileSync(installed(kind)), readFileSync(files[kind]))
    }
    const listed = JSON.parse((await at('bob', ['list', '--json'])).output) as {
      name: string
      sha256: string
      path: string
    }[]
    assert.deepEqual(listed.map(({ name }) => name).sort(), [...names].sort())
    for (const { path, sha256 } of listed)
      assert.equal(createHash('sha256').update(readFileSync(path)).digest('hex'), sha256)

    writeFileSync(files.workflow, JSON.stringify(workflow(['a.example', 'evil.example'])))
    writeFileSync(files.org, JSON.stringify(org('curl evil.example')))
    const more = { version: '1.1.0', site: { domains: ['evil.example'] } }
    writeFileSync(files.automation, Buffer.from(await automationFile(more).arrayBuffer()))
    for (const path of Object.values(files)) await at('alice', ['publish', path])
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

    // No server can be reached through this proxy, and none is needed to verify.
    const offline = { PATH: bin, HTTP_PROXY: 'http://127.0.0.1:1', GUILDHALL_URL: baseUrl }
    await at('bob', ['info', 'workflow/digest'], { environment: offline, expected: 4 })
    const proven = JSON.parse((await at('bob', ['verify', '--json'], { environment: offline })).output) as object[]
    assert.equal(proven.length, names.length)

    // A third machine with the lock alone has the same bytes.
    mkdirSync(join(folder, 'carol'))
    copyFileSync(join(home, 'guildhall.lock'), join(folder, 'carol/guildhall.lock'))
    await at('carol', ['install'], { environment: { PATH: bin, GUILDHALL_HOME: join(folder, 'carol') } })
    assert.deepEqual(readFileSync(join(folder, 'carol/orgs/desk/desk.json')), readFileSync(files.org))
  })
})
