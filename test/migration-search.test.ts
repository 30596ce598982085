// What a community has when the search over everything comes: all of it is found, in batches of any number.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { up } from '../migrations/0027-search.ts'
import { engineOf } from '../src/database/engine.ts'
import type { Db, Transaction } from '../src/database/schema.ts'
import { verifyEverything } from '../src/verify/verify.ts'
import { orgFile, workflowFile } from './library.ts'
import { onEveryEngine } from './world.ts'

/** More than two batches. */
const MANY = 1_201

const contents = (db: Db) =>
  db.selectFrom('searchDocument').select(['id', 'title', 'names', 'body', 'url', 'counted']).orderBy('id').execute()

const words = (db: Db) => db.selectFrom('searchWord').selectAll().orderBy('word').execute()

/** As on a database from before. */
async function migrateAgain(db: Transaction): Promise<void> {
  for (const table of ['searchWord', 'searchCount', 'searchDocument']) {
    await sql`drop table ${sql.table(table)}`.execute(db)
  }
  const index = engineOf(db) === 'sqlite' ? sql`drop table "searchTerms"` : sql`drop sequence "searchNumber"`
  await index.execute(db)
  await up(db)
}

onEveryEngine('the migration of the search', (it) => {
  it('indexes everything that there was as if it were written now', async ({
    alice,
    bob,
    moderator,
    db,
    dependencies,
  }) => {
    await alice.profile.setUsername({ username: 'alice-m' })
    const bug = await alice.bugs.create({ title: 'A *bug*', description: 'It `stalls`.', severity: 'low' })
    await bob.bugs.comment({ id: bug.id, body: 'Again' })
    await alice.features.create({ title: 'Feature', description: 'D' })
    await moderator.labels.create({ name: 'mail & more', color: '#aabbcc' })
    const org = await alice.orgs.create({
      orgJson: JSON.stringify({ name: 'New', goal: 'G', roles: [{ id: 'solo' }] }),
    })
    await alice.orgs.update({ id: org.id, body: '# How', description: 'D' })
    await alice.library.publish({ kind: 'workflow', visibility: 'public', tags: 'mail,b', file: workflowFile() })
    await alice.library.publish({ kind: 'workflow', tags: 'secret', file: workflowFile({ name: 'Private' }) })
    await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile() })
    await bob.blog.comment({ slug: 'what-guildhall-is', body: 'Well said' })
    const before = { documents: await contents(db), words: await words(db) }
    await db.transaction().execute(async (transaction) => {
      const { id: authorId } = await alice.account()
      await migrateAgain(transaction)
      assert.deepEqual({ documents: await contents(transaction), words: await words(transaction) }, before)
      const post = (n: number) => ({ id: `p${String(n).padStart(5, '0')}`, title: `Post ${n}`, body: 'B', authorId })
      await transaction
        .insertInto('post')
        .values(
          Array.from({ length: MANY }, (_, n) => ({
            ...post(n),
            number: 1_000 + n,
            commentCount: 0,
            score: 0,
            createdAt: '2026-01-01T00:00:00.000Z',
          })),
        )
        .execute()
      await migrateAgain(transaction)
      assert.equal((await contents(transaction)).length, before.documents.length + MANY)
      const complaints: string[] = []
      await verifyEverything({ db: transaction, blobs: dependencies.blobs }, (sentence) => complaints.push(sentence))
      assert.deepEqual(
        complaints.filter((one) => /is not found|searchDocument|searchTerms|The search/.test(one)),
        [],
      )
    })
  })
})
