// What guildhall.lock says of the key of a server holds against a server that lies.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { workflowFile } from '../../test/library.ts'
import { digest, fileFor, homeOf, publish, sha256 } from './items.ts'
import { beforeALiar, type LyingProxy } from './lying-proxy.ts'
import { answering } from './run-cli.ts'
import type { Terminal } from './terminal.ts'

/** guildhall.lock alone, in a folder of this name. */
async function copyLock(terminal: Terminal, { from, to, key }: { from: string; to: string; key?: string }) {
  await mkdir(homeOf(terminal, to), { recursive: true })
  const [source, target] = [from, to].map((name) => join(homeOf(terminal, name), 'guildhall.lock')) as [string, string]
  if (source !== target) await cp(source, target)
  const lock = JSON.parse(await readFile(target, 'utf8'))
  const [entry] = Object.values(lock.items) as { key: string }[]
  const known = entry!.key
  if (key !== undefined) {
    entry!.key = key
    await writeFile(target, JSON.stringify(lock))
  }
  return known
}

/** A key of a log that no server has. */
function strangeKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  const bytes = Buffer.concat([Buffer.from([1]), publicKey.export({ format: 'der', type: 'spki' }).subarray(12)])
  const id = createHash('sha256').update('evil.example/log\n').update(bytes).digest('hex').slice(0, 8)
  return `evil.example/log+${id}+${bytes.toString('base64')}`
}

const evil = JSON.stringify({ name: 'Digest', nodes: [], connections: [] })

/** Other bytes of workflow/digest, as version 1.1.0, without a proof. */
const otherBytes: LyingProxy['lie'] = (path) => {
  if (path.endsWith('/resolve')) return { body: { items: [resolved({})] } }
  if (path.endsWith('/file')) return { body: evil, headers: { 'x-content-sha256': sha256(evil) } }
  return /\/(proof|statement|log\/key)\b/.test(path) ? { status: 404 } : undefined
}

const resolved = (changes: object) => ({
  ...{ found: true, name: 'workflow/digest', id: '1', kind: 'workflow', slug: 'digest', version: '1.1.0' },
  ...{ sha256: sha256(evil), size: evil.length, yanked: false, ...changes },
})

describe('the key in guildhall.lock', () => {
  beforeALiar('is what every version must be proven by, also in an empty home', async (liar) => {
    const { world, run, proxy, at } = liar
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await run(['install', 'workflow/digest'], at('first'))
    const key = await copyLock(liar, { from: 'first', to: 'update' })
    await copyLock(liar, { from: 'first', to: 'other' })
    proxy.lie = otherBytes
    for (const [name, words] of [
      ['update', ['update', '--yes', '--unproven', '--force']],
      ['update', ['install', 'workflow/digest', '--unproven']],
      ['other', ['install', 'workflow/digest@1.1.0', '--unproven']],
      ['first', ['update', '--unproven']],
    ] as const) {
      const { errors } = await run([...words], at(name, { expected: 1 }))
      assert.ok(errors.includes(key), errors)
      assert.match(errors, /has no proof of workflow\/digest 1\.1\.0/)
    }
    for (const name of ['update', 'other'])
      assert.doesNotMatch((await readdir(homeOf(liar, name), { recursive: true })).join(), /digest\.json/)
    proxy.lie = () => undefined
    await run(['install'], at('update'))
    assert.equal(await digest(liar, 'update'), await digest(liar, 'first'))
  })

  beforeALiar('is named with the other one where the server has another', async (liar) => {
    const { world, run, proxy, at } = liar
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await run(['install', 'workflow/digest'], at('first'))
    const key = strangeKey()
    const known = await copyLock(liar, { from: 'first', to: 'second', key })
    for (const [name, isAlone] of [
      ['second', false],
      ['second', true],
      ['first', false],
    ] as const) {
      if (name === 'first') await copyLock(liar, { from: 'first', to: 'first', key })
      if (isAlone) proxy.lie = (path) => (path.includes('/proof') ? { status: 404 } : undefined)
      const { errors } = await run(['install'], at(name, { expected: 1 }))
      // A key of a log in a statement is named without its bytes.
      const short = (text: string) => text.split('+').slice(0, 2).join('+')
      for (const one of [key, known]) assert.ok(errors.includes(isAlone ? short(one) : one), errors)
      proxy.lie = () => undefined
    }
    assert.match((await run(['verify'], at('first', { expected: 1 }))).output, /doubted: .*another key/)
  })

  beforeALiar('checks the statement of a private item, which needs no server later', async (liar) => {
    const { world, run, proxy, at, login } = liar
    const { alice } = world
    await alice.account()
    await alice.accounts.verifyEmail({ code: await world.code(alice.email) })
    await login('default', { words: ['--server', proxy.server] })
    const { id } = await alice.library.publish({ kind: 'workflow', file: fileFor('a.example') })
    await run(['install', 'workflow/digest'], at('first'))
    const nowhere = { GUILDHALL_HOME: homeOf(liar, 'first'), GUILDHALL_URL: 'http://127.0.0.1:9' }
    const { output } = await run(['verify'], { environment: nowhere })
    assert.match(output, /^workflow\/digest 1\.0\.0 {2}published 20\S+, in no public log$/m)
    const key = await copyLock(liar, { from: 'first', to: 'second' })
    await run(['install'], at('second'))
    await copyLock(liar, { from: 'first', to: 'third' })
    await alice.library.publishVersion({ id, version: '1.1.0', file: fileFor('a.example', 'a.example') })
    proxy.lie = (path) => (path.includes('/statement') ? { status: 404 } : undefined)
    const { errors } = await run(['update'], at('third', { expected: 1 }))
    assert.ok(errors.includes(key), errors)
    proxy.lie = () => undefined
    await run(['update'], at('third'))
  })

  beforeALiar('waits for a version that is not in the log yet', async (liar) => {
    const { world, run, proxy, at } = liar
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'a.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at('first'))
    await copyLock(liar, { from: 'first', to: 'second' })
    let times = 0
    proxy.lie = (path) => {
      const isEarly = path.includes('/proof') && times++ === 0
      return isEarly ? { status: 404, headers: { 'retry-after': '1' }, body: { error: 'Not yet' } } : undefined
    }
    await run(['install', 'workflow/digest@1.1.0'], at('second'))
    assert.equal(times, 2)
  })
})

describe('without a lock', () => {
  beforeALiar('a first install without a proof asks, or wants --unproven', async (liar) => {
    const { run, proxy, at } = liar
    proxy.lie = otherBytes
    const words = ['install', 'workflow/digest']
    assert.match((await run(words, at('first', { expected: 1 }))).errors, /has no proof of .*--unproven/s)
    assert.match((await run([...words, '--yes'], at('first', { expected: 1 }))).errors, /--unproven/)
    const asked = { isTerminal: true, expected: 1, onErrors: answering('without a proof?', () => 'n') }
    await run([...words, '--yes'], at('first', asked))
    await run([...words, '--yes'], at('first', { ...asked, expected: 0, onErrors: answering('proof?', () => 'y') }))
    await run([...words, '--unproven'], at('second'))
    assert.equal(await digest(liar, 'second'), evil)
    // The lock names these bytes: they need no second yes.
    await copyLock(liar, { from: 'second', to: 'third' })
    await run(['install'], at('third'))
    assert.match((await run(['verify'], at('third', { expected: 1 }))).output, /unproven/)
  })

  for (const [what, changes] of [
    ['a range', { version: '^1' }],
    ['a word', { version: 'latest' }],
    ['another version than was asked for', { version: '1.2.0' }],
    ['no hash', { sha256: 'x' }],
  ] as const) {
    beforeALiar(`an answer of resolve that is ${what} is refused`, async ({ run, proxy, at, world }) => {
      await world.alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
      proxy.lie = (path) => (path.endsWith('/resolve') ? { body: { items: [resolved(changes)] } } : undefined)
      const { errors } = await run(['install', 'workflow/digest@1.1.0', '--unproven'], at('first', { expected: 1 }))
      assert.match(errors, /names no exact version for workflow\/digest@1\.1\.0/)
    })
  }
})
