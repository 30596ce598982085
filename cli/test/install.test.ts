// Installing, against a server that listens.
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { automationFile, orgFile } from '../../test/library.ts'
import { at, digest, fileFor, homeOf, lockOf, publish, sha256 } from './items.ts'
import { answering } from './run-cli.ts'
import { onTerminal } from './terminal.ts'

describe('install', () => {
  onTerminal('puts every kind below GUILDHALL_HOME byte for byte, without a credential', async (terminal) => {
    const { world, run, json } = terminal
    const { alice } = world
    const files = { workflow: fileFor('a.example'), org: orgFile({ name: 'Desk' }), automation: automationFile() }
    const paths: string[] = []
    const names: string[] = []
    for (const [kind, file] of Object.entries(files)) {
      const { slug } = await alice.library.publish({ kind, visibility: 'public', file })
      names.push(`${kind}/${slug}`)
      paths.push(join(homeOf(terminal), `${kind}s`, slug, `${slug}.${kind === 'automation' ? 'mpkg' : 'json'}`))
    }
    const { output, errors } = await run(['install', ...names], at(terminal))
    assert.match(output, /^workflow\/digest 1\.0\.0 installed: \/.*digest\.json$/m)
    assert.match(errors, /workflow\/digest 1\.0\.0 may use:\n {2}site: a\.example\n/)
    const lock = await lockOf(terminal)
    for (const [n, file] of Object.values(files).entries()) {
      const bytes = Buffer.from(await file.arrayBuffer())
      assert.deepEqual(await readFile(paths[n]!), bytes)
      assert.equal(lock.items[names[n]!].sha256, sha256(bytes))
    }
    const { key, id, ...digested } = lock.items['workflow/digest']
    assert.equal((await world.anonymous.library.get({ id })).slug, 'digest')
    assert.match(key, /^127\.0\.0\.1:\d+\/log\+/)
    assert.deepEqual(digested, {
      version: '1.0.0',
      range: 'latest',
      sha256: sha256(await digest(terminal)),
      url: `${terminal.server}/api/library/workflow/digest/1.0.0/file`,
      permissions: ['site:a.example', 'step:http.get'],
    })
    const listed = await json<{ name: string; state: string }[]>(['list'], at(terminal))
    assert.deepEqual(
      listed.map(({ name, state }) => `${name} ${state}`).sort(),
      names.map((n) => `${n} installed`).sort(),
    )
    assert.match((await run(['install', 'workflow/digest'], at(terminal))).output, /unchanged/)
  })

  onTerminal('chooses by version and range, and refuses what is not there as a whole', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.2.0': ['a.example', 'a.example'], '2.0.0': ['b.example'] })
    await run(['install', 'workflows/digest@^1'], at(terminal))
    assert.equal((await lockOf(terminal)).items['workflow/digest'].version, '1.2.0')
    await run(['install', 'workflow/digest@1.0.0'], at(terminal, { name: 'other' }))
    assert.equal((await lockOf(terminal, 'other')).items['workflow/digest'].version, '1.0.0')
    const words = ['install', 'workflow/digest', 'workflow/none', 'workflow/digest@^3']
    assert.match(
      (await run(['install', 'workflow/none', 'org/digest@^3'], at(terminal, { expected: 1 }))).errors,
      /none@latest: not there.*\norg\/digest@\^3/,
    )
    await run(words, at(terminal, { name: 'third', expected: 2 }))
    await run(['install', 'workflow/digest', 'workflow/none'], at(terminal, { name: 'third', expected: 1 }))
    assert.deepEqual((await readdir(terminal.home)).sort(), ['items', 'other'])
    for (const word of [
      'digest',
      'workflow/',
      'bug/digest',
      'workflow/../x',
      'workflow/digest@',
      'workflow/a/b',
      'workflow/A',
    ]) {
      await run(['install', word], at(terminal, { expected: 2 }))
    }
  })

  onTerminal('without names gives the same bytes from the lock, and refuses another hash', async (terminal) => {
    const { world, run, home } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'b.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const lock = await lockOf(terminal)
    const write = async (name: string, change: object) => {
      const items = { 'workflow/digest': { ...lock.items['workflow/digest'], ...change } }
      await mkdir(homeOf(terminal, name), { recursive: true })
      await writeFile(join(home, name, 'guildhall.lock'), JSON.stringify({ ...lock, items }))
    }
    await write('same', {})
    await run(['install'], { environment: { GUILDHALL_HOME: homeOf(terminal, 'same') } })
    assert.equal(await digest(terminal, 'same'), await digest(terminal))
    assert.deepEqual(await lockOf(terminal, 'same'), lock)

    await write('hash', { sha256: '0'.repeat(64) })
    assert.match((await run(['install'], at(terminal, { name: 'hash', expected: 1 }))).errors, /SHA-256/)
    assert.match(
      (await run(['install', 'workflow/digest@1.0.0'], at(terminal, { name: 'hash', expected: 1 }))).errors,
      /another hash/,
    )
    await write('more', { permissions: [] })
    assert.match((await run(['install'], at(terminal, { name: 'more', expected: 1 }))).errors, /site: a\.example/)
    // What no proof is about is not even downloaded.
    assert.deepEqual(await readdir(homeOf(terminal, 'hash')), ['guildhall.lock'])
    assert.deepEqual(await readdir(homeOf(terminal, 'more')), ['guildhall.lock', 'workflows'])

    for (const change of [
      { url: `${terminal.server}/api/library/workflow/other/1.0.0/file` },
      { url: `${terminal.server}/elsewhere` },
      { sha256: 'x' },
      { permissions: 'all' },
      { version: 1 },
    ]) {
      await write('broken', change)
      assert.match((await run(['install'], at(terminal, { name: 'broken', expected: 1 }))).errors, /cannot be read/)
    }
    for (const text of [
      '{',
      '[]',
      '{"lockfileVersion":2,"items":{}}',
      '{"lockfileVersion":1,"items":{"workflow/../../x":{}}}',
    ]) {
      await writeFile(join(homeOf(terminal, 'broken'), 'guildhall.lock'), text)
      assert.equal(
        JSON.parse((await run(['list', '--json'], at(terminal, { name: 'broken', expected: 1 }))).errors).error.code,
        'lock',
      )
    }
  })

  onTerminal('asks before a first install at a terminal alone', async (terminal) => {
    await publish(terminal.world.alice, { '1.0.0': ['a.example'] })
    const given = at(terminal, { isTerminal: true })
    await terminal.run(['install', 'workflow/digest'], {
      ...given,
      expected: 1,
      onErrors: answering('Install?', () => 'n'),
    })
    assert.deepEqual(await readdir(homeOf(terminal)), ['workflows'])
    await terminal.run(['install', 'workflow/digest'], { ...given, onErrors: answering('Install?', () => 'y') })
    await terminal.run(['install', 'workflow/digest', '--yes'], { ...at(terminal, { name: 'yes', isTerminal: true }) })
  })

  onTerminal('is right when several run at once', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await world.alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Desk' }) })
    await Promise.all([run(['install', 'workflow/digest'], at(terminal)), run(['install', 'org/desk'], at(terminal))])
    assert.deepEqual(Object.keys((await lockOf(terminal)).items), ['org/desk', 'workflow/digest'])
    assert.equal((await run(['list'], at(terminal))).output.match(/desk\.json|digest\.json/g)?.length, 2)
  })
})
