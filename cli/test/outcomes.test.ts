// Reporting whether versions work, and what the command line shows of reports.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { visit } from '../../test/visitor.ts'
import type { World } from '../../test/world.ts'
import { outcomeText } from '../src/outcomes.ts'
import { at, fileFor, publish } from './items.ts'
import { onTerminal } from './terminal.ts'

const rows = ({ db }: World) =>
  db.selectFrom('outcome').select(['number', 'outcome', 'error', 'text', 'client']).orderBy('number').execute()

/** So many accounts of the last quarter report on each version. */
async function reported(world: World, versions: Readonly<Record<string, readonly [worked: number, failed: number]>>) {
  const { items } = await world.alice.library.list({})
  const { id } = items[0]!
  const most = Math.max(...Object.values(versions).map(([worked, failed]) => worked + failed))
  for (let n = 0; n < most; n++) {
    const by = await visit(world, `reporter${n}`, { address: `20.1.${n}.1`, verified: true })
    const createdAt = new Date(world.clock.now() - 90 * 86_400_000).toISOString()
    await world.db.updateTable('user').set({ createdAt }).where('id', '=', by.account.id).execute()
    for (const [version, [worked, failed]] of Object.entries(versions)) {
      if (n >= worked + failed) continue
      await (await by.library.download({ id, version })).arrayBuffer()
      await by.library.report({ item: id, version, outcome: n < worked ? 'worked' : 'failed', error: 'start' })
    }
  }
  await world.app.countOutcomes()
}

describe('report', () => {
  onTerminal('tells whether a version worked, for accounts that downloaded it', async (terminal) => {
    const { world, run, login } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': [] })
    await login('default', { person: world.bob })
    const refused = await run(['report', 'worked', 'workflow/digest'], at(terminal, { expected: 1 }))
    assert.match(refused.errors, /downloaded this version/)
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    assert.deepEqual(await rows(world), [], 'only where the person asks for it')
    const { output } = await run(
      ['report', 'failed', 'workflow/digest@1.0.0', '--error', 'crash', '--text', 'It ends'],
      at(terminal),
    )
    assert.match(output, /^Reported that workflow\/digest 1\.0\.0 failed\.$/m)
    const failed = { number: 1, outcome: 'failed', error: 'crash', text: 'It ends', client: 'guildhall' }
    assert.deepEqual(await rows(world), [failed])
    await run(['install', 'workflow/digest@1.1.0', '--report'], at(terminal))
    const worked = { number: 2, outcome: 'worked', error: null, text: null, client: 'guildhall' }
    assert.deepEqual(await rows(world), [failed, worked])
    await run(['report', 'perhaps', 'workflow/digest'], at(terminal, { expected: 2 }))
    await run(['report', 'failed', 'workflow/digest', '--error', 'boom'], at(terminal, { expected: 1 }))
  })
})

describe('what others reported', () => {
  onTerminal('is shown by info, by diff and by update, with a version that works less often', async (terminal) => {
    const { world, run, json, login } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await login('default', { person: world.bob })
    await run(['install', 'workflow/digest@^1.0.0', '--yes'], at(terminal))
    const [item] = (await world.alice.library.list({})).items
    await world.alice.library.publishVersion({ id: item!.id, version: '1.1.0', file: fileFor() })
    await reported(world, { '1.0.0': [39, 1], '1.1.0': [10, 10] })
    const { output } = await run(['info', 'workflow/digest@1.0.0'], at(terminal))
    assert.match(output, /^outcomes: 98 % of 40 reports worked \(at least \d\d %\)$/m)
    assert.match((await run(['info', 'workflow/digest'], at(terminal))).output, /; errors: start 10$/m)
    const { outcomes } = await json<{ outcomes: object }>(['info', 'workflow/digest'], at(terminal))
    assert.partialDeepStrictEqual(outcomes, { worked: 10, failed: 10, rate: 0.5 })
    const diff = await run(['diff', 'workflow/digest'], at(terminal))
    assert.match(diff.output, /^It works less often than before: 98 % of 40 reports worked$/m)
    const { errors } = await run(['update'], at(terminal))
    assert.match(
      errors,
      /^workflow\/digest 1\.1\.0: 50 % of 20 reports worked, less than of 1\.0\.0: 98 % of 40 reports worked$/m,
    )
    assert.doesNotMatch((await run(['update'], at(terminal))).errors, /reports worked/, 'nothing is new')
  })

  it('is a sentence', () => {
    assert.equal(
      outcomeText({ worked: 312, failed: 8, rate: 0.974, lower_bound: 0.95, errors: [] }),
      '97 % of 320 reports worked',
    )
  })
})
