// The client and the command line, published to a registry of this machine (verdaccio, at a pinned version) and installed from there as a user does.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { pack } from '../../client/test/examples.ts'
import { workflowFile } from '../library.ts'
import { listening } from '../listening.ts'
import { freePort, plainEnvironment } from '../server.ts'
import { temporaryDirectory } from '../temporary.ts'

/** It is not among our own packages: it has 320 of its own. One of them names a tag that is not everywhere. */
const REGISTRY = { dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } }
const CONFIG = `storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
packages: { '@guildhall/*': { access: $all, publish: $authenticated } }
log: { type: stdout, level: fatal }
`
const VERSION = '0.1.0'
const START_MILLISECONDS = 60_000
const QUIET = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' }

interface Published {
  name: string
  readme: string
  'dist-tags': Record<string, string>
  versions: Record<
    string,
    { license: string; engines: object; dependencies?: object; scripts?: object; dist: { integrity: string } }
  >
}

const runFile = promisify(execFile)

/** npm, with nothing of the one who runs the tests. Node finds no other `node` before itself. */
async function npm(home: string, args: readonly string[], folder = home, environment: Record<string, string> = {}) {
  const settings = { npm_config_cache: join(home, '.npm'), ...QUIET }
  const env = { ...plainEnvironment, HOME: home, ...settings, ...environment }
  return (await runFile('npm', args, { cwd: folder, env })).stdout
}

/** Starts an empty registry and resolves with its address. It has nothing from elsewhere. */
async function startRegistry(t: TestContext, folder: string): Promise<string> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...REGISTRY }))
  // It comes from where this machine has its packages from.
  await runFile('npm', ['install', '--ignore-scripts'], { cwd: folder, env: { ...process.env, ...QUIET } })
  await writeFile(join(folder, 'config.yaml'), CONFIG)
  const port = await freePort()
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const args = [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  t.after(() => child.kill())
  const url = `http://127.0.0.1:${port}`
  const end = Date.now() + START_MILLISECONDS
  while (
    !(await fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    assert.ok(Date.now() < end && child.exitCode === null, 'The registry did not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return url
}

/** An account at the registry; its token is in the .npmrc of the folder. */
async function signUp(url: string, folder: string): Promise<void> {
  const account = { name: 'publisher', password: 'a password for a test' }
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(account) }
  const answer = await fetch(`${url}/-/user/org.couchdb.user:publisher`, init)
  assert.equal(answer.status, 201)
  const { token } = (await answer.json()) as { token: string }
  await writeFile(join(folder, '.npmrc'), `registry=${url}\n${url.slice('http:'.length)}/:_authToken=${token}\n`)
}

/** What the registry says of a package, and that it has exactly the file that was published. */
async function assertPublished(url: string, name: string, tarball: string): Promise<void> {
  const answer = await fetch(`${url}/${name.replace('/', '%2f')}`)
  const found = (await answer.json()) as Published
  assert.deepEqual([found.name, found['dist-tags']['latest']], [name, VERSION])
  assert.match(found.readme, /^# @?guildhall/)
  assert.doesNotMatch(found.readme, /\]\(\.\.?\//, 'a link that leads out of the package')
  const version = found.versions[VERSION]!
  assert.deepEqual([version.license, version.engines, version.dependencies ?? {}], ['MIT', { node: '>=18.17' }, {}])
  const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  assert.equal(version.dist.integrity, `sha512-${sha512}`)
}

it('are published with what a registry shows, and installed from it as users do', async (t) => {
  const [registry, publisher, user] = await Promise.all([1, 2, 3].map(() => temporaryDirectory(t)))
  const url = await startRegistry(t, registry!)
  await signUp(url, publisher!)
  for (const workspace of ['client', 'cli']) {
    const tarball = pack(workspace, publisher!)
    await assert.rejects(npm(publisher!, ['publish', tarball]), /provenance/i)
    // A statement of where a package was built is made by the CI that builds it, and by no one else.
    await npm(publisher!, ['publish', tarball, '--provenance=false'])
    await assertPublished(url, `@guildhall/${workspace}`, tarball)
    await assert.rejects(
      npm(publisher!, ['publish', tarball, '--provenance=false']),
      /previously published|E409|EPUBLISHCONFLICT/,
    )
  }
  const folder = join(user!, 'work')
  await mkdir(folder)
  await writeFile(join(user!, '.npmrc'), `registry=${url}\n`)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await listening(t, async ({ alice, dependencies }) => {
    const { baseUrl } = dependencies.config
    await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Digest' }), visibility: 'public' })
    const environment = { GUILDHALL_URL: baseUrl }
    const guildhall = (...words: string[]) =>
      npm(user!, ['exec', '--yes', '@guildhall/cli', '--', ...words], folder, environment)
    assert.equal((await guildhall('--version')).trim(), VERSION)
    await guildhall('install', 'workflow/digest', '--yes')
    assert.match(await guildhall('verify', '--json'), /digest/)
    await npm(user!, ['install', '@guildhall/client'], folder)
    const program = `import { createClient } from '@guildhall/client'
      const { name } = await createClient({ url: '${baseUrl}' }).library.find({ kind: 'workflow', slug: 'digest' })
      console.log(name)`
    await writeFile(join(folder, 'program.js'), program)
    const { stdout } = await runFile('node', ['program.js'], { cwd: folder, env: plainEnvironment })
    assert.equal(stdout.trim(), 'Digest')
  })
})
