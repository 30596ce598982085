// Publishing from a CI at the command line: who may, and a run that does it without a stored secret.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe } from 'node:test'
import { gitHub, type Issuer, issuerFor } from '../../test/ci.ts'
import { workflow } from '../../test/library.ts'
import { publish } from '../../test/owners.ts'
import { onTerminal, type Terminal } from './terminal.ts'

/** Runs with what a runner of GitHub Actions gives a job: an address that answers ID tokens for an audience. */
async function inRunner(issuer: Issuer, run: (environment: Record<string, string>) => Promise<void>): Promise<void> {
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://runner')
    const isOwn = request.headers.authorization === 'Bearer runner'
    const value = await issuer.token(gitHub({ aud: searchParams.get('audience') }))
    response
      .writeHead(isOwn ? 200 : 401, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(isOwn ? { value } : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?api-version=2`
  try {
    await run({ ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner' })
  } finally {
    server.close()
  }
}

const NAMED = ['--repository', 'mira/digest', '--workflow', '.github/workflows/publish.yml', '--ref', 'main']

async function withFile({ home }: Terminal): Promise<string> {
  const path = join(home, 'digest.json')
  await writeFile(path, JSON.stringify({ ...workflow, name: 'Digest' }))
  return path
}

describe('publishers, and publish --ci', () => {
  onTerminal('let a CI publish, list and remove it', async (terminal) => {
    const { run, json, login, world } = terminal
    await publish(world.alice)
    await world.alice.accounts.verifyEmail({ code: await world.code(world.alice.email) })
    await login()
    assert.match((await run(['publishers', 'list'])).output, /No CI publishes/)
    const added = await run(['publishers', 'add', 'workflow/digest', ...NAMED])
    assert.match(added.output, /mira\/digest .github\/workflows\/publish.yml refs\/heads\/main {2}not used yet/)
    assert.match(added.output, /guildhall publish FILE --ci --server http\S+ --item workflow\/digest/)
    const [first] = await json<{ id: string }[]>(['publishers', 'list', 'workflow/digest'])
    await run(['publishers', 'remove', first!.id])
    assert.deepEqual(await json(['publishers', 'list', 'workflow/digest']), [])
    const more = ['--repository', 'mira/new', '--workflow', '.gitlab-ci.yml', '--environment', 'release']
    const named = await run(['publishers', 'add', 'workflow/new-name', '--new', '--issuer', 'gitlab', ...more])
    assert.match(named.output, /workflow\/new-name \(not published yet\)/)
    for (const wrong of [
      ['publishers'],
      ['publishers', 'set', 'x'],
      ['publishers', 'add', 'workflow/digest'],
      ['publishers', 'add', 'workflow/digest', ...NAMED.slice(0, 4)],
      ['publishers', 'add', 'digest', '--new', ...NAMED],
    ]) {
      await run(wrong, 2)
    }
  })

  onTerminal('publish a new name and a version of it, and no other item', async (terminal) => {
    const { run, json, login, world, server } = terminal
    const path = await withFile(terminal)
    const issuer = await issuerFor(world)
    await login()
    await run(['publishers', 'add', 'workflow/digest', '--new', '--issuer', issuer.url, ...NAMED])
    await run(['logout'])
    const words = ['publish', path, '--ci', '--server', server, '--item', 'workflow/digest']
    await inRunner(issuer, async (environment) => {
      const tried = await run([...words, '--dry-run'], { environment })
      assert.match(tried.output, /^Would publish workflow\/digest 1.0.0/)
      const first = await run([...words, '--visibility', 'public'], { environment })
      assert.match(first.output, /^Published workflow\/digest 1.0.0/)
      const second = await json<{ version: string }>(words, { environment })
      assert.equal(second.version, '1.0.1')
      const other = await run([...words.slice(0, -1), 'workflow/other'], { environment, expected: 1 })
      assert.match(other.errors, /does not let this run publish workflow\/other: no publisher/)
      const gitLabs = { GUILDHALL_ID_TOKEN: await issuer.token(gitHub()) }
      assert.match((await run(words, { environment: gitLabs })).output, /^Published workflow\/digest 1.0.2/)
      await run([...words, '--accept', 'secret'], { environment, expected: 2 })
      await run(words.slice(0, -2), { environment, expected: 2 })
      await run([...words.slice(0, -1), 'org/digest'], { environment, expected: 2 })
    })
    assert.match((await run(words, { expected: 2 })).errors, /id-token: write/)
  })
})
