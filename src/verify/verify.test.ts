// The operator looks at everything again: on both engines, with both stores. Each kind of damage is done behind Guildhall's
// back, and found.

import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { orgFile, workflowFile } from '../../test/library.ts'
import { onePixelDeepPng, tinyPng } from '../../test/pictures.ts'
import { complaintsOf } from '../../test/sound.ts'
import { onEveryStore, type StoredWorld } from '../../test/stores.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { engineOf } from '../database/engine.ts'
import { verifyEverything } from './verify.ts'

/** A text of the search was changed: its thing is not found by it, and the counts of its terms are wrong once they were counted. */
const UNFINDABLE = / is not found by what it says$|^The search counts ".*" wrongly$/

/** A world in which there is something of everything. */
async function live({ alice, bob, moderator, admin }: World) {
  await alice.profile.setUsername({ username: 'alice-v' })
  const { id: bug } = await alice.bugs.create({ title: 'B', description: 'D', severity: 'low' })
  const label = await moderator.labels.create({ name: 'L', color: '#aabbcc' })
  await moderator.bugs.attachLabel({ id: bug, labelId: label.id })
  await moderator.bugs.triage({ id: bug, status: 'in_progress' })
  await bob.bugs.vote({ id: bug, value: 1 })
  await bob.bugs.comment({ id: bug, body: 'C' })
  const { id: feature } = await bob.features.create({ title: 'F', description: 'D' })
  await alice.features.vote({ id: feature, value: -1 })
  const { id: post } = await alice.posts.create({ title: 'P', body: 'B' })
  await alice.posts.vote({ id: post, value: 1 })
  const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
  await bob.orgs.vote({ id: org.id, value: 1 })
  await bob.orgs.comment({ id: org.id, body: 'C' })
  const run = await bob.orgRuns.add({ id: org.id, files: [new File(['# One'], 'a.md'), new File(['<p>'], 'b.html')] })
  const image = await alice.orgImages.add({ id: org.id, image: await tinyPng() })
  await alice.avatars.set({ avatar: await tinyPng() })
  await alice.blog.comment({ slug: 'what-guildhall-is', body: 'C' })
  const item = await alice.library.publish({
    kind: 'workflow',
    visibility: 'public',
    tags: 'mail,daily',
    file: workflowFile(),
  })
  await bob.library.vote({ id: item.id, value: 1 })
  await bob.library.comment({ id: item.id, body: 'C' })
  await admin.library.publish({ kind: 'org', visibility: 'official', tags: 'mail', file: orgFile() })
  await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Private' }) })
  await admin.admin.block({ id: (await bob.account()).id, blocked: true })
  return { bug, feature, post, org: org.id, item: item.id, file: run.files[0]!.id, image: image.url.split('/').at(-1)! }
}

/** Changes what is stored under a name, behind the store's back. */
async function overwrite({ store, folder, storage }: StoredWorld, part: string): Promise<void> {
  const root = store === 'directory' ? folder : storage.directory
  const names = await readdir(root, { recursive: true })
  const name = names.find(
    (name) => name.includes(part) && (store === 'directory' ? /[=0-9a-f]$/.test(name) : name.endsWith('_object')),
  )
  await writeFile(join(root, name!), 'x'.repeat(300))
}

onEveryStore('npm run admin -- verify', (it) => {
  it('finds nothing where all is well, and every file that is damaged or missing', async (world) => {
    const { alice, dependencies } = world
    const { file, image } = await live(world)
    assert.deepEqual(await complaintsOf(world), [])
    const damaged = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Damaged' }) })
    const missing = await alice.library.publish({ kind: 'org', file: orgFile({ name: 'Missing' }) })
    const { id } = await alice.account()
    await overwrite(world, damaged.sha256)
    await overwrite(world, file)
    await overwrite(world, image)
    await dependencies.blobs.artifacts.delete(missing.sha256)
    await dependencies.blobs.objects.delete(`avatars/${id}`)
    assert.deepEqual(await complaintsOf(world), [
      `Artifact ${damaged.sha256} is damaged: workflow damaged 1.0.0`,
      `Artifact ${missing.sha256} is missing: org missing 1.0.0`,
      `org-images/${image} is damaged`,
      `org-runs/${file} is damaged`,
      `avatars/${id} is missing`,
    ])
  })

  it('finds the archive of an export that is missing', async (world) => {
    const { alice, dependencies, app, db } = world
    await alice.dataExports.request()
    await app.work()
    assert.deepEqual(await complaintsOf(world), [])
    const { sha256 } = await db.selectFrom('dataExport').select('sha256').executeTakeFirstOrThrow()
    await dependencies.blobs.artifacts.delete(sha256!)
    assert.deepEqual(await complaintsOf(world), [`Artifact ${sha256} is missing: the archive of an export`])
  })

  it('gives files from before there were hashes theirs, and finds what is done to them later', async (world) => {
    const { db, dependencies } = world
    const { file, image } = await live(world)
    await db.updateTable('orgRunFile').set({ sha256: null }).execute()
    await db.updateTable('orgImage').set({ sha256: null }).execute()
    await db.updateTable('user').set({ avatarSha256: null }).execute()
    const lines = await verifyEverything({ db, blobs: dependencies.blobs }, assert.fail)
    assert.match(lines[0]!, /8 files are sound, 0 damaged, 0 missing; 4 had no hash and have one now\./)
    const { bytes, contentType } = (await dependencies.blobs.objects.get(`org-runs/${file}`))!
    await dependencies.blobs.objects.put(`org-runs/${file}`, Buffer.alloc(bytes.byteLength, 'y'), contentType)
    const picture = (await dependencies.blobs.objects.get(`org-images/${image}`))!
    await dependencies.blobs.objects.delete(`org-images/${image}`)
    assert.deepEqual(await complaintsOf(world), [`org-images/${image} is missing`, `org-runs/${file} is damaged`])
    await dependencies.blobs.objects.put(`org-images/${image}`, picture.bytes, picture.contentType)
    assert.deepEqual(await complaintsOf(world), [`org-runs/${file} is damaged`])
  })

  it('knows a picture whose upload was cut off before its row, and finds that it is damaged', async (world) => {
    const { alice, db } = world
    const { id } = await alice.account()
    await alice.avatars.set({ avatar: await tinyPng() })
    const columns = ['avatarSha256', 'avatarUpdatedAt', 'updatedAt'] as const
    const before = await db.selectFrom('user').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
    await alice.avatars.set({ avatar: onePixelDeepPng(9, 9) })
    await db.updateTable('user').set(before).where('id', '=', id).execute()
    assert.deepEqual(await complaintsOf(world), [])
    const { avatarUrl } = await alice.profile.me()
    assert.equal((await alice.request(avatarUrl!)).headers.get('content-type'), 'image/png')
    await overwrite(world, id)
    assert.deepEqual(await complaintsOf(world), [`avatars/${id} is damaged`])
  })
})

type Ids = Awaited<ReturnType<typeof live>>

/** What is done to the rows, and what verify says of it. */
const damages: [name: string, damage: (world: World, ids: Ids) => Promise<unknown>, complaint: RegExp][] = [
  [
    'a total of bugs',
    ({ db }) => sql`update counter set count = 7 where key = 'bug/all/in_progress/low/'`.execute(db),
    /^The count bug\/all\/in_progress\/low\/ is 7 and should be 1$/,
  ],
  [
    'a total of bugs of a label, missing',
    ({ db }) => sql`delete from counter where key like 'bug/label/%'`.execute(db),
    /^The count bug\/label\/.*\/in_progress\/low\/ is 0 and should be 1$/,
  ],
  [
    'a total of features',
    ({ db }) => sql`update counter set count = count + 1 where key = 'feature/all/open/'`.execute(db),
    /^The count feature\/all\/open\/ is 2 and should be 1$/,
  ],
  [
    'a total of what an author has in the feed',
    async ({ db, alice }) =>
      db
        .updateTable('counter')
        .set({ count: 9 })
        .where('key', '=', `feed/by/${(await alice.account()).id}/post/`)
        .execute(),
    /^The count feed\/by\/.*\/post\/ is 9 and should be 1$/,
  ],
  [
    'a total of posts and of orgs',
    ({ db }) => sql`update counter set count = 3 where key in ('post/all/', 'org/all/')`.execute(db),
    /^The count (post|org)\/all\/ is 3 and should be 1$/,
  ],
  [
    'a number of comments of a blog post',
    ({ db }) => sql`update counter set count = 5 where key like 'comment/blog/%'`.execute(db),
    /^The count comment\/blog\/what-guildhall-is\/ is 5 and should be 1$/,
  ],
  [
    'a number of accounts',
    ({ db }) => sql`update counter set count = 40 where key = 'account/all/member/blocked/'`.execute(db),
    /^The count account\/all\/member\/blocked\/ is 40 and should be 1$/,
  ],
  [
    'a number of items',
    ({ db }) => sql`update counter set count = 7 where key like 'item/all/official/%'`.execute(db),
    /^The count item\/all\/official\/\w+\/ is 7 and should be 1$/,
  ],
  [
    'a number of items with a tag',
    ({ db }) => sql`update "itemCount" set count = 12 where scope = 'official' and tag = 'mail'`.execute(db),
    /^The count official #mail is 12 and should be 1$/,
  ],
  [
    'what the search has of a thing',
    ({ db }, { post }) => sql`update "searchDocument" set title = 'Q' where id = ${post}`.execute(db),
    UNFINDABLE,
  ],
  [
    'a thing that the search does not have',
    ({ db }, { bug }) => sql`delete from "searchDocument" where id = ${bug}`.execute(db),
    UNFINDABLE,
  ],
  [
    'a thing that is gone and can still be found',
    ({ db }, { feature }) => sql`update "searchDocument" set id = 'gone' where id = ${feature}`.execute(db),
    UNFINDABLE,
  ],
  [
    'terms of the search',
    async ({ db }, { post }) =>
      engineOf(db) === 'sqlite'
        ? sql`delete from "searchTerms" where rowid = (select "rowId" from "searchDocument" where id = ${post})`.execute(
            db,
          )
        : sql`update "searchDocument" set terms = 'q'::tsvector where id = ${post}`.execute(db),
    UNFINDABLE,
  ],
  [
    'a document too many',
    ({ db }) =>
      sql`insert into "searchDocument" ("rowId", id, type, counted, title, names, url, body${sql.raw(engineOf(db) === 'sqlite' ? '' : ', terms')})
        values (1, 'gone', 'bug', 0, '', '', '', ''${sql.raw(engineOf(db) === 'sqlite' ? '' : ", ''")})`.execute(db),
    /^searchDocument has 1 rows of things that are not there$/,
  ],
  [
    'how often a term is used',
    ({ db }) => sql`insert into "searchCount" (term, count) values ('nowhere', 3)`.execute(db),
    /^The search counts "nowhere" wrongly$/,
  ],
  [
    'a score',
    ({ db }, { bug }) => sql`update bug set score = 30 where id = ${bug}`.execute(db),
    /^The count bug\.score .* is 30 and should be 1$|has a label that does not know its state$/,
  ],
  [
    'a vote, removed',
    ({ db }, { item }) => sql`delete from vote where "targetId" = ${item}`.execute(db),
    /^The count (libraryItem|feedEntry)\.score .* is 1 and should be 0$/,
  ],
  [
    'a score in the feed',
    ({ db }, { post }) => sql`update "feedEntry" set score = -4 where id = ${post}`.execute(db),
    /^The count feedEntry\.score .* is -4 and should be 1$/,
  ],
  [
    'a number of comments of a bug',
    ({ db }, { bug }) => sql`update bug set "commentCount" = 0 where id = ${bug}`.execute(db),
    /^The count bug\.commentCount .* is 0 and should be 1$/,
  ],
  [
    'a number of comments of an item and of an org',
    ({ db }) => sql`delete from comment where "targetType" in ('item', 'org')`.execute(db),
    /^The count (libraryItem|orgUpload|feedEntry)\.commentCount .* is 1 and should be 0$|^searchDocument has 2 rows of things/,
  ],
  [
    'a number of runs',
    ({ db }) => sql`update "orgUpload" set "runCount" = 2`.execute(db),
    /^The count orgUpload\.runCount .* is 2 and should be 1$/,
  ],
  [
    'an entry of the feed, removed',
    ({ db }, { feature }) => sql`delete from "feedEntry" where id = ${feature}`.execute(db),
    /is missing in the feed$|^The count feed\//,
  ],
  [
    'a thing without its text for searches',
    ({ db }, { post }) => sql`delete from "searchText" where id = ${post}`.execute(db),
    /^.* \(post\) cannot be searched for$/,
  ],
  [
    'an item that is not its newest version',
    ({ db }, { item }) => sql`update "libraryItem" set sha256 = ${'0'.repeat(64)} where id = ${item}`.execute(db),
    /^.* \(libraryItem\) is not what its newest version says that is not yanked$/,
  ],
  [
    'an item without its slug',
    ({ db }, { item }) => sql`delete from slug where "targetId" = ${item}`.execute(db),
    /^.* \(libraryItem\) does not have its slug$/,
  ],
  [
    'how many bytes an account stores',
    ({ db }) => sql`update "storedBytes" set bytes = bytes + 1000 where bytes > 0`.execute(db),
    /^The count storedBytes .* is \d+ and should be \d+$/,
  ],
  [
    'an act in the audit log',
    ({ db }) => sql`update audit set "targetId" = 'x' where position = 1`.execute(db),
    /^Row 1 of the audit log .* was changed$/,
  ],
]

/** Undoes what was done and looked at. */
class Undone extends Error {}

onEveryEngine('npm run admin -- verify', (it) => {
  it('finds every count and row that is wrong', async (world) => {
    const ids = await live(world)
    const { db } = world
    for (const [name, damage, complaint] of damages) {
      const complaints: string[] = []
      const done = db.transaction().execute(async (transaction) => {
        await damage({ ...world, db: transaction }, ids)
        complaints.push(...(await complaintsOf({ ...world, db: transaction })))
        throw new Undone()
      })
      await assert.rejects(done, Undone)
      assert.ok(complaints.length > 0, `${name}: nothing was found`)
      for (const found of complaints) assert.match(found, complaint, name)
    }
    assert.deepEqual(await complaintsOf(world), [])
  })
})
