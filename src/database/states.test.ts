// Every pair of states of every table, as the condition of an update sees it.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { onEveryEngine } from '../../test/world.ts'
import { keysOf } from '../contract/records.ts'
import * as states from '../contract/states.ts'
import { mayStep } from './states.ts'

type Table = Readonly<Record<string, readonly string[]>>

const tables: Readonly<Record<string, Table>> = {
  ...{ act: states.pendingActStates, delivery: states.deliveryStates, export: states.exportStates },
  ...{ case: states.caseStates, merge: states.mergeStates, import: states.importStates },
  ...{ version: states.versionStates.publisher, versionForAdmins: states.versionStates.admin },
}

onEveryEngine('A step from one state to another', (it) => {
  for (const [name, table] of Object.entries(tables)) {
    it(`is made exactly where the table says so: ${name}`, async ({ db }) => {
      const isMade = async (state: string, step: { from?: string; to: string }) => {
        const where = mayStep(table, step, sql`cast(${state} as text)`)
        return (await sql`select 1 where ${where}`.execute(db)).rows.length === 1
      }
      const all = keysOf(table)
      for (const from of all) {
        for (const to of all) {
          const isDeclared = table[from]!.includes(to)
          assert.equal(await isMade(from, { to }), isDeclared, `${from} to ${to}`)
          for (const told of all) {
            assert.equal(
              await isMade(from, { from: told, to }),
              isDeclared && told === from,
              `${from} to ${to}, ${told}`,
            )
          }
        }
        assert.equal(await isMade(from, { to: 'nowhere' }), false)
        assert.equal(await isMade('nowhere', { to: from }), false)
      }
    })
  }
})
