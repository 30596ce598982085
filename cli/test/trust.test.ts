// verify and mirror, against a server that listens and, for verify, against none.
import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { automationFile, orgFile, workflowFile } from '../../test/library.ts'
import { onTerminal, type Terminal } from './terminal.ts'

const NOWHERE = 'http://127.0.0.1:9'

const homeOf = ({ home }: Terminal) => join(home, 'items')
const at = (terminal: Terminal, expected = 0) => ({
  environment: { GUILDHALL_HOME: homeOf(terminal), GUILDHALL_URL: terminal.server },
  expected,
})

/** The same without a server. */
const offline = (terminal: Terminal, expected = 0) => ({
  environment: { GUILDHALL_HOME: homeOf(terminal), GUILDHALL_URL: NOWHERE, HTTP_PROXY: NOWHERE, http_proxy: NOWHERE },
  expected,
})

const publish = ({ world }: Terminal, name = 'Digest') =>
  world.alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile({ name }) })

interface Result {
  name: string
  state: string
  index?: number
}

describe('verify', () => {
  onTerminal('needs no server for what is installed', async (terminal) => {
    const { run, json, world } = terminal
    await publish(terminal)
    await world.alice.library.publish({ kind: 'automation', visibility: 'public', file: automationFile() })
    await run(['install', 'workflow/digest'], at(terminal))
    await publish(terminal, 'Other')
    await run(['install', 'workflow/other'], at(terminal))
    const results = await json<Result[]>(['verify'], offline(terminal))
    assert.deepEqual(
      results.map(({ name, state, index }) => [name, state, index]),
      [
        ['workflow/digest', 'verified', 0],
        ['workflow/other', 'verified', 2],
      ],
    )
    const { output } = await run(['verify', 'workflow/digest'], offline(terminal))
    assert.match(output, /^workflow\/digest 1\.0\.0 {2}published 20\d\d-/)
    assert.match((await run(['verify', homeOf(terminal)], offline(terminal))).output, /other/)
    assert.match((await run(['verify', 'workflow/none'], offline(terminal, 1))).errors, /not installed/)
    assert.match((await run(['verify', '/nowhere'], offline(terminal, 2))).errors, /neither/)
  })

  onTerminal('notices a file, a lock and a proof that were changed', async (terminal) => {
    const { run } = terminal
    await publish(terminal)
    await run(['install', 'workflow/digest'], at(terminal))
    const file = join(homeOf(terminal), 'workflows/digest/digest.json')
    const bytes = await readFile(file)
    await appendFile(file, ' ')
    assert.match(
      (await run(['verify'], offline(terminal, 1))).output,
      /changed: the file is not what guildhall\.lock says/,
    )
    await writeFile(file, bytes)
    const proof = join(homeOf(terminal), '.proofs/workflow/digest.json')
    const text = await readFile(proof, 'utf8')
    const bundle = JSON.parse(text)
    await writeFile(proof, JSON.stringify({ ...bundle, entry: bundle.entry.replace('"v":1', '"v":2') }))
    assert.match((await run(['verify'], offline(terminal, 1))).output, /doubted/)
    await writeFile(proof, text)
    await run(['verify'], offline(terminal))
  })

  onTerminal('and install refuse a log that was written again', async (terminal) => {
    const { run, world } = terminal
    const { db } = world
    await publish(terminal)
    await run(['install', 'workflow/digest'], at(terminal))
    await publish(terminal, 'Other')
    for (const table of ['logTile', 'logCheckpoint'] as const) await db.deleteFrom(table).execute()
    await db.updateTable('logHead').set({ size: 0 }).execute()
    const rows = await db.selectFrom('logEntry').select(['id', 'text']).orderBy('id').execute()
    for (const { id, text } of rows) {
      const { v: _v, time: _time, ...facts } = JSON.parse(text)
      await db
        .updateTable('logEntry')
        .set({ position: null, text: JSON.stringify(facts) })
        .where('id', '=', id)
        .execute()
    }
    world.clock.pass(5)
    const { errors } = await run(['install', 'workflow/other'], at(terminal, 1))
    assert.match(errors, /does not continue what was seen|written again/)
    assert.deepEqual((await readdir(join(homeOf(terminal), 'workflows'))).sort(), ['digest'])
  })
})

describe('mirror', () => {
  onTerminal('keeps a copy that goes on where it stopped, and follows what is taken away', async (terminal) => {
    const { run, world, server, home } = terminal
    const { alice, app } = world
    const copy = join(home, 'copy')
    const first = await publish(terminal)
    await alice.library.publishVersion({ id: first.id, version: '1.1.0', file: workflowFile({ name: 'Digest' }) })
    const second = await publish(terminal, 'Other')
    await alice.library.publish({ kind: 'workflow', visibility: 'private', file: workflowFile({ name: 'Secret' }) })
    await app.sequenceLog()
    assert.match((await run(['mirror', server, copy])).output, /: 3 versions copied, 0 items removed, 3 entries/)
    assert.deepEqual((await readdir(join(copy, 'workflows'))).sort(), ['digest', 'other'])
    const versions = await readdir(join(copy, 'workflows/digest'))
    assert.deepEqual(versions.sort(), ['1.0.0', '1.1.0', 'item.json'])
    const kept = await readFile(join(copy, 'workflows/digest/1.0.0/digest.json'), 'utf8')
    assert.equal(
      kept,
      await workflowFile({ name: 'Digest' })
        .text()
        .catch(() => kept),
    )
    assert.match((await run(['mirror', server, copy])).output, /: 0 versions copied, 0 items removed, 3 entries/)
    await alice.library.delete({ id: second.id })
    await alice.library.update({ id: first.id, visibility: 'private' })
    await app.sequenceLog()
    assert.match((await run(['mirror', server, copy])).output, /: 0 versions copied, 2 items removed, 5 entries/)
    assert.deepEqual(await readdir(join(copy, 'workflows')), [])
    await alice.library.update({ id: first.id, visibility: 'public' })
    await app.sequenceLog()
    assert.match((await run(['mirror', server, copy])).output, /: 2 versions copied, 0 items removed, 6 entries/)
    const other = await run(['mirror', 'http://localhost:1', copy], 2)
    assert.match(other.errors, /is a copy of/)
  })

  onTerminal('follows renames, also of what it has not copied before', async (terminal) => {
    const { run, world, server, home } = terminal
    const { alice, app } = world
    const [copy, later] = [join(home, 'copy'), join(home, 'later')]
    const { id } = await publish(terminal)
    await alice.library.publishVersion({ id, version: '1.1.0', file: workflowFile({ name: 'Digest' }) })
    await app.sequenceLog()
    await run(['mirror', server, copy])
    await alice.library.rename({ id, slug: 'morning' })
    await alice.library.publishVersion({ id, version: '1.2.0', file: workflowFile({ name: 'Digest', n: 2 }) })
    await alice.library.rename({ id, slug: 'evening' })
    await app.sequenceLog()
    for (const folder of [copy, later]) {
      await run(['mirror', server, folder])
      assert.deepEqual(await readdir(join(folder, 'workflows')), ['evening'])
      const names = await readdir(join(folder, 'workflows/evening/1.0.0'))
      assert.deepEqual(names.sort(), ['evening.json', 'proof.json'])
      assert.match(
        (await run(['verify', folder])).output,
        /: 3 versions and \d+ entries of the log are what was published/,
      )
    }
  })

  onTerminal('refuses a log whose entries do not make its tree, and a file that was changed', async (terminal) => {
    const { run, world, server, home } = terminal
    const { db, app } = world
    await publish(terminal)
    await publish(terminal, 'Other')
    await app.sequenceLog()
    const { text } = await db.selectFrom('logEntry').select('text').where('position', '=', 1).executeTakeFirstOrThrow()
    const set = (changed: string) =>
      db.updateTable('logEntry').set({ text: changed }).where('position', '=', 1).execute()
    await set(text.replace('"v":1', '"v":2'))
    assert.match((await run(['mirror', server, join(home, 'copy')], 1)).errors, /do not make the tree/)
    await set(text)
    const [one, other] = await db.selectFrom('itemVersion').selectAll().orderBy('itemId').execute()
    await db
      .updateTable('itemVersion')
      .set({ sha256: other!.sha256, size: other!.size })
      .where('itemId', '=', one!.itemId)
      .execute()
    assert.match((await run(['mirror', server, join(home, 'copy')], 1)).errors, /SHA-256/)
    await rm(join(home, 'copy'), { recursive: true })
  })
})

describe('a copy that was made', () => {
  onTerminal('is verified whole without its server, and mended by the next mirror', async (terminal) => {
    const { run, json, world, server, home } = terminal
    const copy = join(home, 'copy')
    await publish(terminal)
    await publish(terminal, 'Other')
    await world.app.sequenceLog()
    await run(['mirror', server, copy])
    const whole = await json<{ versions: number; broken: unknown[] }>(['verify', copy], offline(terminal))
    assert.deepEqual([whole.versions, whole.broken], [2, []])
    const file = join(copy, 'workflows/digest/1.0.0/digest.json')
    const bytes = await readFile(file)
    const damages: [what: RegExp, damage: () => Promise<unknown>][] = [
      [/workflow\/digest 1\.0\.0 {2}broken: .*SHA-256/, () => appendFile(file, ' ')],
      [/workflow\/digest 1\.0\.0 {2}broken: .*not there/, () => rm(file)],
      [/workflow\/digest 1\.0\.0 {2}broken/, () => rm(join(copy, 'workflows/digest/1.0.0'), { recursive: true })],
      [/workflow\/other {2}broken: /, () => writeFile(join(copy, 'workflows/other/item.json'), '{')],
      [/workflow\/other 1\.0\.0 {2}broken: /, () => writeFile(join(copy, 'workflows/other/1.0.0/proof.json'), '{}')],
    ]
    for (const [what, damage] of damages) {
      await damage()
      assert.match((await run(['verify', copy], offline(terminal, 1))).output, what)
      const { output, errors } = await run(['mirror', server, copy])
      assert.match(errors, /^broken workflow\/(digest|other)/m, output)
      await run(['verify', copy], offline(terminal))
    }
    assert.deepEqual(await readFile(file), bytes)
    const log = join(copy, 'log/tile/entries/000')
    const entries = await readFile(log)
    await writeFile(log, Buffer.from(entries.toString('latin1').replace('"v":1', '"v":2'), 'latin1'))
    assert.match((await run(['verify', copy], offline(terminal, 1))).output, /^the log {2}broken: .*tree/m)
    assert.match((await run(['mirror', server, copy], 1)).errors, /broken the log: [\s\S]*could not be mended/)
    await writeFile(join(copy, 'mirror.json'), '{')
    assert.match((await run(['verify', copy], offline(terminal, 1))).errors, /mirror\.json cannot be read/)
  })
})

describe('key', () => {
  onTerminal('signs what its account published, and verify shows it', async (terminal) => {
    const { run, json, login, home } = terminal
    await publish(terminal)
    await login()
    assert.match((await run(['key', 'sign', 'workflow/digest@1.0.0'], 2)).errors, /run guildhall key new/)
    await run(['key', 'new', 'Laptop'])
    const file = join(home, 'config/publisher-key.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.match((await run(['key', 'new'], 1)).errors, /There is a key/)
    assert.match((await run(['key', 'sign', 'workflow/digest'], 2)).errors, /which version/)
    await run(['key', 'sign', 'workflow/digest@1.0.0'])
    await run(['install', 'workflow/digest'], at(terminal))
    const [result] = await json<(Result & { isSigned: boolean })[]>(['verify'], offline(terminal))
    assert.deepEqual([result?.state, result?.isSigned], ['verified', true])
    const [key] = await json<{ id: string; revoked_at: string | null }[]>(['key', 'list'])
    assert.equal(key?.revoked_at, null)
    await run(['key', 'revoke', key!.id])
    assert.match((await run(['key', 'list'])).output, /revoked 20/)
    assert.match((await run(['key', 'turn'], 2)).errors, /Write key new/)
  })

  onTerminal(
    'signs what is published, new items and versions, also where the server chooses name and version',
    async (terminal) => {
      const { run, json, login, home, world } = terminal
      await publish(terminal)
      await login('default', { person: world.bob })
      await run(['key', 'new', 'Laptop'])
      const path = join(home, 'digest.json')
      const write = async (changes: object) =>
        writeFile(path, await workflowFile({ name: 'Digest', ...changes }).text())
      await write({})
      const first = await run(['publish', path, '--visibility', 'public'])
      assert.match(first.output, /Published workflow\/digest-2 1\.0\.0 \(public\)[\s\S]*\nsigned with [0-9a-f-]{36}\n$/)
      await write({ description: 'Newer' })
      const second = await json<{ version: string; signed_with: string }>(['publish', path])
      const [key] = await json<{ id: string }[]>(['key', 'list'])
      assert.deepEqual([second.version, second.signed_with], ['1.0.1', key?.id])
      for (const version of ['1.0.0', '1.0.1']) {
        await run(['install', `workflow/digest-2@${version}`], at(terminal))
        const [result] = await json<(Result & { isSigned: boolean })[]>(['verify'], offline(terminal))
        assert.deepEqual([result?.state, result?.isSigned], ['verified', true], version)
      }
      for (const [kind, file] of [
        ['org', orgFile({ name: 'The  Désk ' })],
        ['automation', automationFile({ id: 'quay-board', version: '0.9.0' })],
      ] as const) {
        const packed = join(home, kind === 'org' ? 'org.json' : 'quay.mpkg')
        await writeFile(packed, Buffer.from(await file.arrayBuffer()))
        assert.equal((await json<{ signed_with: string }>(['publish', packed])).signed_with, key?.id, kind)
      }
      await write({ description: 'Newest' })
      assert.doesNotMatch((await run(['publish', path, '--unsigned'])).output, /signed/)
      await run(['key', 'revoke', key!.id])
      await write({ description: 'The last' })
      const unsigned = await run(['publish', path])
      assert.match(unsigned.errors, /not signed: the key at .* is none of this account, or is revoked/)
      assert.match(unsigned.output, /Published workflow\/digest-2 1\.0\.3/)
    },
  )
})
