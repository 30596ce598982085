// What `verify` says of a log, and of statements, that were changed behind their backs.
import assert from 'node:assert/strict'
import { workflowFile } from '../../test/library.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { checkLog } from '../transparency/checking.ts'
import { appendLog } from '../transparency/transparency.ts'
import { checkStatements } from './library.ts'

/** A log of 600 leaves; the first is of a version. */
async function fill({ alice, app, db }: World): Promise<void> {
  await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
  await app.sequenceLog()
  await db.transaction().execute(async (transaction) => {
    for (let n = 1; n < 600; n++)
      await appendLog(transaction, { type: 'official', item: `${n}`, name: `workflow/${n}` })
  })
  await app.sequenceLog()
}

const damages: [name: string, damage: (world: World) => Promise<unknown>, broken: RegExp][] = [
  [
    'a leaf that was changed',
    ({ db }) => db.updateTable('logEntry').set({ text: '{}' }).where('position', '=', 300).execute(),
    /^Leaf 300 of the log was changed$/,
  ],
  [
    'a leaf that was removed',
    ({ db }) => db.deleteFrom('logEntry').where('position', '=', 300).execute(),
    /^Leaf 300 of the log is missing$/,
  ],
  [
    'a tile that was changed',
    ({ db }) =>
      db.updateTable('logTile').set({ middle: '00' }).where('level', '=', 0).where('number', '=', 1).execute(),
    /^Tile 0\/1 of the log/,
  ],
  [
    'a tile above that was changed',
    ({ db }) => db.updateTable('logTile').set({ hashes: '00' }).where('level', '=', 1).execute(),
    /^Tile 1\/0 of the log/,
  ],
  [
    'a head that was changed',
    ({ db }) => db.updateTable('logHead').set({ root: '00' }).execute(),
    /^The head of the log is not that of its leaves$/,
  ],
]

onEveryEngine('verification of the log', (it) => {
  it('finds nothing wrong with one that is whole', async (world) => {
    await fill(world)
    assert.deepEqual(await checkLog(world.db), { leaves: 600, broken: undefined })
    await checkStatements(world.db, (sentence) => assert.fail(sentence))
  })

  for (const [name, damage, broken] of damages) {
    it(`shows ${name}`, async (world) => {
      await fill(world)
      await damage(world)
      assert.match((await checkLog(world.db)).broken ?? 'nothing', broken)
    })
  }

  it('shows a version and a statement that were changed', async (world) => {
    const { db } = world
    await fill(world)
    const said = async () => {
      const sentences: string[] = []
      await checkStatements(db, (sentence) => sentences.push(sentence.replace(/version .*? of item \S+/, 'it')))
      return sentences
    }
    const { sha256 } = await db.selectFrom('itemVersion').select('sha256').executeTakeFirstOrThrow()
    await db
      .updateTable('itemVersion')
      .set({ sha256: 'ab'.repeat(32) })
      .execute()
    assert.deepEqual(await said(), ['The statement of it is about another file', 'The log has another file of it'])
    await db.updateTable('itemVersion').set({ sha256 }).execute()
    const { payload } = await db.selectFrom('versionStatement').select('payload').executeTakeFirstOrThrow()
    await db
      .updateTable('versionStatement')
      .set({ payload: payload.replace('"time":"2', '"time":"3') })
      .execute()
    assert.deepEqual(await said(), ['The log has another statement of it'])
  })
})
