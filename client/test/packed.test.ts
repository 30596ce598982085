// The package as it is published: packed, installed in an empty folder, its README type-checked and run. CLIENT_RUNTIME is
// another command to run them with, such as the oldest Node that it supports, or `deno run -A`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { listening } from '../../test/listening.ts'
import { AGENT, allowDevice, oauthClient } from '../../test/oauth.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { World } from '../../test/world.ts'
import { operations } from '../src/derived/operations.ts'
import { compile, examplesFor, install, pack } from './examples.ts'

const [RUNTIME = '', ...OPTIONS] = process.env['CLIENT_RUNTIME']?.split(' ') ?? [process.execPath]
/** The tarball, in bytes: most of it are the types and the table of operations. */
const MAX_SIZE = 240 * Object.values(operations).reduce((sum, part) => sum + Object.keys(part).length, 0)

/** What the browser of a person does with the address that a program shows. */
async function browse(world: World, address: string): Promise<void> {
  const client = oauthClient(world)
  const { to } = await client.authorize(world.alice, new URL(address).searchParams)
  const arrived = await fetch(await client.decide(world.alice, to!))
  assert.equal(arrived.status, 200)
}

interface Running {
  world: World
  token: string
  folder: string
}

/** Runs a program to its end: types the mailed code when it is asked for, and opens the address that it shows. */
function runProgram(path: string, { world, token, folder }: Running): Promise<{ code: number | null; output: string }> {
  const child = spawn(RUNTIME, [...OPTIONS, path], {
    cwd: folder,
    env: { PATH: process.env['PATH'], GUILDHALL_TOKEN: token },
  })
  let output = ''
  let isAnswered = false
  const answer = async () => {
    const address = output.match(/Open (\S+)/)?.[1]
    if (isAnswered || !(address || /code from the mail/.test(output))) return
    isAnswered = true
    const userCode = output.match(/and type (\w{4}-\w{4})/)?.[1]
    if (userCode) await allowDevice(world.alice, userCode)
    else if (address) await browse(world, address)
    else child.stdin.write(`${await oauthClient(world).code(world.alice.email)}\n`)
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      answer().catch((error) => child.kill() && console.error(error))
    })
  }
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })))
}

it('is installed from its tarball, needs nothing else, and every example of its README runs', async (t) => {
  const folder = await temporaryDirectory(t)
  const tarball = pack('client', folder)
  const { size } = statSync(tarball)
  t.diagnostic(`the tarball has ${size} bytes`)
  assert.ok(size <= MAX_SIZE, `${size} bytes`)
  install(tarball, folder)
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@guildhall'],
  )
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@guildhall/client/package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  const files = readdirSync(join(folder, 'node_modules/@guildhall/client')).sort()
  assert.deepEqual(files, ['LICENSE', 'README.md', 'dist', 'package.json'])

  await listening(t, async (world) => {
    const { baseUrl } = world.dependencies.config
    await world.alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    await world.alice.accounts.sendVerification()
    await world.alice.accounts.verifyEmail({ code: await world.code(world.alice.email) })
    const scope = 'community:read community:write library:read library:write'
    const { access_token } = await oauthClient(world).signIn(world.alice, { clientId: AGENT, scope })
    const examples = examplesFor(baseUrl)
    compile(examples, folder)
    const expected = [
      /1 open|2 open/,
      /0 A bug/,
      /404 not_found .* [\w-]{36}/,
      /alice/,
      /library:read/,
      /library:read/,
      /alice/,
      undefined,
      /1\.0\.0 true/,
    ]
    assert.equal(examples.length, expected.length)
    for (const [n, pattern] of expected.entries()) {
      // The one for a page runs in a browser (test/browser/client.test.ts).
      if (!pattern) continue
      const { code, output } = await runProgram(join(folder, `dist/${n}.js`), { world, token: access_token, folder })
      assert.equal(code, 0, `${examples[n]}\n${output}`)
      assert.match(output, pattern)
    }
    const saved = readFileSync(join(folder, 'release-notes.json'), 'utf8')
    assert.equal(JSON.parse(saved).name, 'Release notes')
    assert.deepEqual(readdirSync(join(folder, 'tokens')), [])
  })
})
