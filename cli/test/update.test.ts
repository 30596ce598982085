// Updating, against a server that listens: what a version may do more, and what was changed by hand, asks for a yes.
import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { orgFile } from '../../test/library.ts'
import { allowArgument, readAllowed } from '../src/consent.ts'
import { at, digest, fileFor, homeOf, lockOf, publish } from './items.ts'
import { answering } from './run-cli.ts'
import { onTerminal } from './terminal.ts'

describe('a version that may do more', () => {
  onTerminal('is refused without a terminal, and told what to allow', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'b.example', 'c.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const before = await digest(terminal)
    const lock = await lockOf(terminal)
    const refused = { ...at(terminal, { expected: 1 }) }
    for (const words of [[], ['--yes'], ['--force'], ['--yes', '--force', '--allow', 'site:b.example,script']]) {
      const { errors } = await run(['install', 'workflow/digest', ...words], refused)
      assert.match(errors, /^workflow\/digest 1\.1\.0 may do more than 1\.0\.0:\n[\s\S]* \+ site: c\.example\n/)
      assert.match(errors, words.length < 4 ? /--allow site:b\.example,site:c\.example$/m : /--allow site:c\.example$/m)
      assert.doesNotMatch(errors, /\+ site: a\.example/)
    }
    const { error } = JSON.parse(
      (await run(['install', 'workflow/digest', '--json'], refused)).errors.split('\n').at(-2)!,
    )
    assert.deepEqual(error.details, [
      { name: 'workflow/digest', from: '1.0.0', to: '1.1.0', added: ['site:b.example', 'site:c.example'] },
    ])
    assert.equal(await digest(terminal), before)
    assert.deepEqual(await lockOf(terminal), lock)
    assert.deepEqual(await readdir(join(homeOf(terminal), 'workflows/digest')), ['digest.json'])
    await run(['install', 'workflow/digest', '--allow', 'site:b.example', '--allow', 'site:c.example'], at(terminal))
    assert.deepEqual((await lockOf(terminal)).items['workflow/digest'].permissions, [
      'site:a.example',
      'site:b.example',
      'site:c.example',
      'step:http.get',
    ])
    await run(['install', 'workflow/digest', '--allow', 'sites:b'], at(terminal, { expected: 2 }))
  })

  onTerminal('is installed when the person says yes, or allows the type', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['b.example'] })
    for (const name of ['asked', 'allowed']) await run(['install', 'workflow/digest@1.0.0'], at(terminal, { name }))
    const asked = at(terminal, { name: 'asked', isTerminal: true })
    for (const answer of ['n', '', 'yeah'])
      await run(['install', 'workflow/digest', '--yes'], {
        ...asked,
        expected: 1,
        onErrors: answering('Allow all', () => answer),
      })
    await run(['install', 'workflow/digest'], { ...asked, onErrors: answering('Allow all', () => 'Yes') })
    await run(['install', 'workflow/digest', '--allow', 'site'], at(terminal, { name: 'allowed' }))
    for (const name of ['asked', 'allowed']) assert.match(await digest(terminal, name), /b\.example/)
  })
})

describe('update and outdated', () => {
  onTerminal('go to the newest version of the range, and stop where it may do more', async (terminal) => {
    const { world, run, json } = terminal
    const { alice } = world
    await publish(alice, { '1.0.0': ['a.example'] })
    await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Desk' }) })
    await run(['install', 'workflow/digest@^1', 'org/desk'], at(terminal))
    assert.match((await run(['outdated'], at(terminal))).output, /up to date/)
    const { id } = await alice.library.find({ kind: 'workflow', slug: 'digest' })
    const next = (version: string, ...sites: string[]) =>
      alice.library.publishVersion({ id, version, file: fileFor(...sites) })
    await next('1.1.0', 'a.example', 'a.example')
    await next('2.0.0', 'z.example')
    assert.match(
      (await run(['outdated'], at(terminal))).output,
      /^workflow\/digest {2}1\.0\.0 {2}in \^1: 1\.1\.0 {2}latest: 2\.0\.0$/m,
    )
    const updated = await run(['update'], at(terminal))
    assert.match(updated.output, /workflow\/digest 1\.0\.0 -> 1\.1\.0 updated/)
    assert.match(updated.output, /org\/desk 1\.0\.0 unchanged/)
    assert.equal((await lockOf(terminal)).items['workflow/digest'].range, '^1')
    await next('2.1.0', 'z.example')
    assert.match((await run(['update', 'workflow/digest'], at(terminal))).output, /unchanged/)
    await run(['install', 'workflow/digest@>=1'], at(terminal, { expected: 1 }))
    assert.equal((await json<unknown[]>(['outdated', 'workflow/digest'], at(terminal))).length, 1)
    assert.equal((await json<unknown[]>(['outdated', 'org/desk'], at(terminal))).length, 0)
    await run(['update', 'org/none'], at(terminal, { expected: 1 }))
  })
})

describe('what was changed by hand', () => {
  onTerminal('is not lost without a yes, in install, update and remove', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'a.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const path = join(homeOf(terminal), 'workflows/digest/digest.json')
    const mine = `${await digest(terminal)}\n`
    await writeFile(path, mine)
    assert.match((await run(['list'], at(terminal))).output, /changed/)
    const lock = await lockOf(terminal)
    for (const words of [
      ['install'],
      ['install', 'workflow/digest', '--yes'],
      ['update'],
      ['remove', 'workflow/digest'],
    ]) {
      assert.match((await run(words, at(terminal, { expected: 1 }))).errors, /--force/)
    }
    const asked = at(terminal, { isTerminal: true })
    await run(['remove', 'workflow/digest'], { ...asked, expected: 1, onErrors: answering('Lose', () => 'n') })
    assert.equal(await digest(terminal), mine)
    assert.deepEqual(await lockOf(terminal), lock)
    await run(['install'], { ...asked, onErrors: answering('Lose', () => 'y') })
    assert.notEqual(await digest(terminal), mine)
    await writeFile(path, mine)
    await run(['install', 'workflow/digest', '--force'], at(terminal))
    assert.equal((await lockOf(terminal)).items['workflow/digest'].version, '1.1.0')
    await writeFile(path, mine)
    await run(['remove', 'workflow/digest', '--force'], at(terminal))
    assert.deepEqual((await lockOf(terminal)).items, {})
    assert.deepEqual(await readdir(join(homeOf(terminal), 'workflows')), [])
    await run(['remove', 'workflow/digest'], at(terminal, { expected: 1 }))
  })

  onTerminal('also where the lock knows nothing of a file', async (terminal) => {
    await publish(terminal.world.alice, { '1.0.0': ['a.example'] })
    await mkdir(join(homeOf(terminal), 'workflows/digest'), { recursive: true })
    await writeFile(join(homeOf(terminal), 'workflows/digest/digest.json'), 'mine')
    await terminal.run(['install', 'workflow/digest'], at(terminal, { expected: 1 }))
    assert.equal(await digest(terminal), 'mine')
  })
})

describe('update of what has no version any more', () => {
  onTerminal('keeps it, and updates the rest', async (terminal) => {
    const { run, world } = terminal
    const { alice } = world
    await publish(alice, { '1.0.0': ['a.example'] })
    const desk = await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Desk' }) })
    await run(['install', 'workflow/digest', 'org/desk'], at(terminal))
    const { id } = await alice.library.find({ kind: 'workflow', slug: 'digest' })
    await alice.library.yank({ id, version: '1.0.0', yanked: true })
    await alice.library.publishVersion({
      id: desk.id,
      version: '2.0.0',
      file: orgFile({ name: 'Desk', goal: 'More.' }),
    })
    const { output, errors } = await run(['update'], at(terminal))
    assert.match(output, /^org\/desk 1\.0\.0 -> 2\.0\.0 updated: /)
    assert.equal(errors, 'workflow/digest: no version is in latest now, so 1.0.0 stays\n')
    assert.ok(await digest(terminal))
    // By name it is not there to be installed.
    await run(['install', 'workflow/digest'], at(terminal, { expected: 1 }))
  })
})

describe('--allow', () => {
  it('takes types with and without names, and what it prints', () => {
    assert.deepEqual(readAllowed(['site:a.example,script', 'step:http.get']), [
      { type: 'site', name: 'a.example' },
      { type: 'script' },
      { type: 'step', name: 'http.get' },
    ])
    const names = ['a,site:evil.example', "it's", 'a\\,b', 'x:y', '*.example']
    for (const name of names) {
      const argument = allowArgument([{ type: 'script', name }])
      const unquoted = argument.startsWith("'") ? argument.slice(1, -1).replaceAll("'\\''", "'") : argument
      assert.deepEqual(readAllowed([unquoted]), [{ type: 'script', name }])
    }
    for (const text of ['sites', 'constructor', 'site a', ':x']) assert.throws(() => readAllowed([text]), /--allow/)
  })
})
