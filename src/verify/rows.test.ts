// Each kind of damage to the rows is done behind Guildhall's back, and found by verify, on both engines.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { live } from '../../test/live.ts'
import { complaintsOf } from '../../test/sound.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { engineOf } from '../database/engine.ts'

/** A text of the search was changed: its thing is not found by it, and the counts of its terms are wrong once they were counted. */
const UNFINDABLE = / is not found by what it says$|^The search counts ".*" wrongly$/

type Ids = Awaited<ReturnType<typeof live>>

/** What is done to the rows, and what verify says of it. */
const damages: [name: string, damage: (world: World, ids: Ids) => Promise<unknown>, complaint: RegExp][] = [
  [
    'a total of bugs',
    ({ db }) => sql`update counter set count = 7 where key = 'bug/all/in_progress/low/'`.execute(db),
    /^The count bug\/all\/in_progress\/low\/ is 7 and should be 1$/,
  ],
  [
    'a label of a post that has another score',
    ({ db }) => sql`update "postLabel" set score = 7`.execute(db),
    /^\S+ \(post\) has a label that does not know its state$/,
  ],
  [
    'a tag of an item that has another score',
    ({ db }) => sql`update "itemTag" set score = 7`.execute(db),
    /^\S+ \(libraryItem\) has a tag that does not know its state$/,
  ],
  [
    'a total of requests of a label, missing',
    ({ db }) => sql`delete from counter where key like 'feature/label-by/%'`.execute(db),
    /^The count feature\/label-by\/.*\/open\/ is 0 and should be 1$/,
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
