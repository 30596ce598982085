// Ids in place of names, in every command that takes an item: the list of commands says which they are.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { commands } from '../src/commands.ts'
import { at, fileFor, homeOf, lockOf, publish } from './items.ts'
import { onTerminal, type Terminal } from './terminal.ts'

/** The words of each command; ITEM is an id, and its kind with it where `kind` is told. In this order all of them work. */
const given: readonly [command: string, ...words: string[]][] = [
  ['info', 'ITEM'],
  ['info', 'ITEM@1.0.0'],
  ['scan', 'ITEM'],
  ['owners', 'ITEM'],
  ['visibility', 'ITEM'],
  ['diff', 'ITEM@1.0.0', '1.1.0'],
  ['diff', 'ITEM'],
  ['download', 'ITEM@^1', '-o', 'FILE.copy'],
  ['key', 'sign', 'ITEM@1.1.0'],
  ['install', 'ITEM@1.0.0'],
  ['outdated', 'ITEM'],
  ['audit', 'ITEM'],
  ['verify', 'ITEM'],
  ['verify', 'ITEM@1.0.0'],
  ['update', 'ITEM'],
  ['remove', 'ITEM'],
  ['vote', 'ITEM', 'up'],
  ['comment', 'ITEM', 'Again'],
  ['publish', 'FILE', '--item', 'ITEM', '--dry-run'],
  ['publishers', 'list', 'ITEM'],
  ['staged', 'list', 'ITEM'],
  ['report', 'worked', 'ITEM'],
  ['yank', 'ITEM@1.0.0'],
  ['deprecate', 'ITEM', '--message', 'Old', '--successor', 'OTHER'],
  ['visibility', 'ITEM', 'public'],
  ['invite', 'ITEM', 'bob'],
  ['invite', 'ITEM', 'bob', '--withdraw'],
  ['transfer', 'ITEM', 'bob'],
  ['transfer', 'ITEM', '--withdraw'],
  ['rename', 'ITEM', 'digest'],
  ['accept', 'ITEM'],
  ['unpublish', 'ITEM', '--yes'],
]

/** Commands for items that others publish. */
const OF_OTHERS = ['accept', 'report']

/** digest, signed in as its owner, with a key. */
async function prepared(terminal: Terminal) {
  const { login, run, world, home } = terminal
  await world.alice.profile.setUsername({ username: 'alice' })
  await world.bob.profile.setUsername({ username: 'bob' })
  await login()
  const file = join(home, 'digest.json')
  await writeFile(file, Buffer.from(await fileFor('a.example').arrayBuffer()))
  await run(['publish', file, '--visibility', 'public', '--version', '1.0.0'])
  await run(['publish', file, '--version', '1.1.0'])
  await run(['key', 'new'])
  await publish(world.bob, { '1.0.0': ['b.example'] })
  const { id } = await world.anonymous.library.find({ kind: 'workflow', slug: 'digest' })
  const other = (await world.bob.library.list({ scope: 'mine' })).items[0]!
  return { id, other, file }
}

describe('an id', () => {
  for (const prefix of ['', 'workflow/']) {
    onTerminal(`names an item in every command that takes one, as ${prefix}<id>`, async (terminal) => {
      const { run, world, home } = terminal
      const { id, other, file } = await prepared(terminal)
      const done = new Set<string>()
      for (const [name, ...words] of given) {
        if (name === 'accept') {
          await world.bob.library.addMaintainer({ id: other.id, username: 'alice', role: 'maintainer' })
        }
        const item = `${prefix}${OF_OTHERS.includes(name) ? other.id : id}`
        if (name === 'report') await run(['download', item, '-o', `${file}.other`], { ...at(terminal), folder: home })
        const all = words.map((word) => word.replace('ITEM', item).replace('FILE', file).replace('OTHER', other.id))
        const { errors } = await run([name, ...all], { ...at(terminal), folder: home })
        assert.doesNotMatch(errors, /fault/)
        done.add(Object.hasOwn(commands, `${name} ${words[0]}`) ? `${name} ${words[0]}` : name)
      }
      const taking = Object.entries(commands).filter(([, { usage, details = '' }]) =>
        /KIND\/SLUG|THING/.test(usage + details),
      )
      assert.deepEqual([...done].sort(), taking.map(([name]) => name).sort())
    })
  }

  onTerminal('of an installed item needs no server, and is the one of its statement', async (terminal) => {
    const { run, world } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    const { id } = await world.anonymous.library.find({ kind: 'workflow', slug: 'digest' })
    await run(['install', 'workflow/digest'], at(terminal))
    assert.equal((await lockOf(terminal)).items['workflow/digest'].id, id)
    const away = { environment: { ...at(terminal).environment, GUILDHALL_URL: 'http://127.0.0.1:9' } }
    assert.match((await run(['verify', id], away)).output, /^workflow\/digest 1\.0\.0 {2}published/)
    await run(['verify', `org/${id}`], { ...away, expected: 1 })
    assert.match((await run(['remove', id], away)).output, /^workflow\/digest removed\n$/)
  })

  onTerminal('of a lock from before is asked of the server', async (terminal) => {
    const { run, world } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    const { id } = await world.anonymous.library.find({ kind: 'workflow', slug: 'digest' })
    await run(['install', 'workflow/digest'], at(terminal))
    const path = join(homeOf(terminal), 'guildhall.lock')
    await writeFile(path, (await readFile(path, 'utf8')).replace(/ *"id": .*\n/, ''))
    assert.equal((await lockOf(terminal)).items['workflow/digest'].id, undefined)
    assert.match((await run(['outdated', id], at(terminal))).output, /up to date/)
    const none = '0192f000-0000-7000-8000-000000000000'
    const { errors } = await run(['outdated', none], { ...at(terminal), expected: 1 })
    assert.match(errors, /is not installed: guildhall list/)
    assert.match((await run(['remove', id], at(terminal))).output, /^workflow\/digest removed\n$/)
  })

  onTerminal('stays with a name: what another item has under it now is not installed over it', async (terminal) => {
    const { run, world } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const path = join(homeOf(terminal), 'guildhall.lock')
    const { id } = (await lockOf(terminal)).items['workflow/digest']
    const before = '0192f000-0000-7000-8000-000000000000'
    await writeFile(path, (await readFile(path, 'utf8')).replace(id, before))
    const { errors } = await run(['install', 'workflow/digest@1.1.0'], { ...at(terminal), expected: 1 })
    assert.match(errors, new RegExp(`workflow/digest is the item ${id} now, not ${before}: remove it first`))
    await run(['remove', 'workflow/digest'], at(terminal))
    await run(['install', 'workflow/digest@1.1.0'], at(terminal))
  })
})
