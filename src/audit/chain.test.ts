// The chain of the audit log: made right under any concurrency, and every change behind its back shows.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../test/world.ts'
import { AuditAction } from '../contract/audit.ts'
import { record, verifyAudit } from './audit.ts'
import { hashOf } from './chain.ts'

const NOW = '2026-11-20T09:30:00.000Z'
const act = (verb: string | number) => ({
  action: new AuditAction('act', `${verb}`, 'Acted'),
  actorId: null,
  targetId: 'x',
  detail: { say: 'ö – "x"' },
})

/** A chain of some rows. */
async function chain({ db }: World, rows = 6): Promise<void> {
  for (let n = 1; n <= rows; n++) {
    await db.transaction().execute((transaction) => record(transaction, NOW, act(n)))
  }
}

const at = ({ db }: World, position: number) =>
  db.selectFrom('audit').selectAll().where('position', '=', position).executeTakeFirstOrThrow()

onEveryEngine('the chain of the audit log', (it) => {
  it('has every row with the hash of the one before, and a record of its head', async (world) => {
    const { db } = world
    assert.deepEqual(await verifyAudit(db), { rows: 0, head: { position: 0, hash: '' }, broken: undefined })
    await chain(world)
    const { head, ...state } = await verifyAudit(db)
    assert.deepEqual(state, { rows: 6, broken: undefined })
    const rows = await db.selectFrom('audit').selectAll().orderBy('position').execute()
    for (const [index, { position, previous, hash, ...entry }] of rows.entries()) {
      assert.deepEqual([position, previous], [index + 1, rows[index - 1]?.hash ?? ''])
      assert.equal(hash, hashOf(entry, { position: index + 1, previous: previous! }))
    }
    assert.deepEqual(head, { position: 6, hash: rows[5]!.hash })
  })

  it('is right when many acts happen at once, and keeps nothing of those that are undone', async ({ db }) => {
    const acts = Array.from({ length: 60 }, (_, n) =>
      db
        .transaction()
        .execute(async (transaction) => {
          await record(transaction, NOW, act(n))
          if (n % 3 === 0) throw new Error('undone')
          await record(transaction, NOW, act(`${n}.second`))
        })
        .catch(() => {}),
    )
    await Promise.all(acts)
    const { rows, broken } = await verifyAudit(db)
    assert.deepEqual([rows, broken], [80, undefined])
  })

  it('does not make two transactions wait for each other, regardless of their other locks', async ({
    db,
    alice,
    bob,
  }) => {
    const [first, second] = [await alice.account(), await bob.account()]
    const lockUser = (name: string) => (transaction: typeof db) =>
      transaction.updateTable('user').set({ name }).where('id', '=', first.id).execute()
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.transaction().execute(async (transaction) => {
          // One takes its lock before it writes to the log, the other after.
          if (n % 2) await lockUser(`Name ${n}`)(transaction)
          await record(transaction, NOW, act(second.id))
          if (n % 2 === 0) await lockUser(`Name ${n}`)(transaction)
        }),
      ),
    )
    assert.equal((await verifyAudit(db)).broken, undefined)
  })

  it('is written by acts through the front door', async ({ admin, bob, db }) => {
    const { id } = await bob.account()
    const { rows } = await verifyAudit(db)
    await admin.admin.block({ id, blocked: true, reason: 'Spam – \u{1f4a9}' })
    await admin.admin.block({ id, blocked: false })
    const after = await verifyAudit(db)
    assert.equal(after.broken, undefined)
    assert.ok(after.rows >= rows + 2)
    const { items } = await admin.admin.listAudit({ targetId: id })
    assert.equal('hash' in items[0]!, false)
  })

  const damages: [name: string, damage: (world: World) => Promise<unknown>, broken: RegExp][] = [
    [
      'a row that was changed',
      ({ db }) => db.updateTable('audit').set({ reason: 'None' }).where('position', '=', 3).execute(),
      /^Row 3 of the audit log \(act\.3 at .*\) was changed$/,
    ],
    [
      'a row that was changed and hashed again',
      async (world) => {
        const { position, previous, hash: _, ...entry } = await at(world, 3)
        const changed = { ...entry, action: 'act.nothing' }
        const hash = hashOf(changed, { position: position!, previous: previous! })
        await world.db.updateTable('audit').set({ action: 'act.nothing', hash }).where('position', '=', 3).execute()
      },
      /^Row 4 of the audit log .* does not follow the one before/,
    ],
    [
      'a row that was removed',
      ({ db }) => db.deleteFrom('audit').where('position', '=', 2).execute(),
      /^Row 2 of the audit log is missing$/,
    ],
    [
      'the first row that was removed',
      ({ db }) => db.deleteFrom('audit').where('position', '=', 1).execute(),
      /^Row 1 of the audit log is missing$/,
    ],
    [
      'rows that were put in another order',
      async ({ db }) => {
        const move = (from: number, to: number) =>
          db.updateTable('audit').set({ position: to }).where('position', '=', from).execute()
        await move(3, 99)
        await move(4, 3)
        await move(99, 4)
      },
      /^Row 3 of the audit log \(act\.4 .*does not follow the one before/,
    ],
    [
      'the end that was cut off',
      ({ db }) => db.deleteFrom('audit').where('position', '>', 4).execute(),
      /^Rows 5 to 6, the last of the audit log, are missing$/,
    ],
    [
      'an end that was cut off and made again',
      async (world) => {
        const { position, previous, hash: _, ...entry } = await at(world, 6)
        const changed = { ...entry, action: 'act.other' }
        const hash = hashOf(changed, { position: position!, previous: previous! })
        await world.db.updateTable('audit').set({ action: 'act.other', hash }).where('position', '=', 6).execute()
      },
      /^Row 6 of the audit log .* is not what its recorded hash says/,
    ],
    [
      'a row that was put in past the chain',
      async (world) => {
        const { position: _, ...row } = await at(world, 6)
        const { db } = world
        await db.transaction().execute(async (transaction) => {
          await transaction
            .insertInto('audit')
            .values({ ...row, id: 'forged', position: null })
            .execute()
        })
        await db.updateTable('audit').set({ position: null }).where('id', '=', 'forged').execute()
      },
      /^Row forged of the audit log has no place in the chain$|^Rows 7 to 7, the last of the audit log, are missing$/,
    ],
    [
      'a record of the head that was removed',
      ({ db }) => db.deleteFrom('auditHead').execute(),
      /^The record of the head of the audit log is missing$/,
    ],
  ]
  for (const [name, damage, broken] of damages) {
    it(`shows ${name}`, async (world) => {
      await chain(world)
      await damage(world)
      assert.match((await verifyAudit(world.db)).broken ?? 'nothing', broken)
    })
  }

  it('that was rewritten as a whole differs from an earlier head', async (world) => {
    const { db } = world
    await chain(world)
    const { head } = await verifyAudit(db)
    await db.deleteFrom('audit').execute()
    await db.updateTable('auditHead').set({ position: 0, hash: '' }).execute()
    await chain(world, 7)
    assert.equal((await verifyAudit(db)).broken, undefined)
    await db.updateTable('audit').set({ reason: 'x' }).where('position', '=', 7).execute()
    await db.deleteFrom('audit').where('position', '=', 7).execute()
    const again = await at(world, 6)
    await db.updateTable('auditHead').set({ position: 6, hash: again.hash! }).execute()
    assert.match((await verifyAudit(db, head)).broken!, /^Row 6 .* the chain was written again$/)
    assert.match((await verifyAudit(db, { ...head, position: 9 })).broken!, /^Row 9 .*noted before, is missing$/)
  })
})
