// Fills a new SQLite database with a gallery of any size, by prepared statements.
import { DatabaseSync } from 'node:sqlite'
import { chartOf } from '../src/community/orgs/rules.ts'
import { openDatabase } from '../src/database/open.ts'
import { describeOrg, readOrg } from '../src/formats/org.ts'

export interface Gallery {
  orgs: number
  authors: number
  /** Runs and comments of the newest org. */
  runs: number
  comments: number
  /** A typical definition. */
  orgJson: string
}

const words = 'the desk answers mail and matches invoices while two agents plan the release of every week'.split(' ')
const sentence = (seed: number, length: number) =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]).join(' ')

const moment = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
const idOf = (kind: string, index: number) => `01900000-0000-7000-${kind}-${index.toString(16).padStart(12, '0')}`
export const authorId = (index: number) => idOf('8100', index)
export const orgId = (index: number) => idOf('a000', index)
export const runId = (index: number) => idOf('b000', index)

/** Makes the database at `path`; org `i` is the i-th oldest. */
export async function fillGallery(path: string, gallery: Gallery): Promise<void> {
  const store = await openDatabase(path)
  await store.db.destroy()
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; begin')
  insertAuthors(db, gallery)
  insertOrgs(db, gallery)
  insertRuns(db, gallery)
  insertComments(db, gallery)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}

function insertAuthors(db: DatabaseSync, { authors }: Gallery): void {
  const user = db.prepare(
    `insert into user (id, email, name, username, usernameKey, role, createdAt, updatedAt) values (?, ?, ?, ?, ?, 'member', ?, ?)`,
  )
  for (let index = 0; index < authors; index++) {
    const name = `author${index}`
    user.run(authorId(index), `${name}@example.com`, name, name, name, moment(0), moment(0))
  }
}

function insertOrgs(db: DatabaseSync, { orgs, authors, orgJson }: Gallery): void {
  const definition = readOrg(orgJson)
  const { topology, roleCount } = describeOrg(definition)
  const chart = JSON.stringify(chartOf(definition))
  const org =
    db.prepare(`insert into orgUpload (id, slug, authorId, name, goal, tagline, topology, roleCount, score, runCount,
    sha256, size, createdAt, updatedAt) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`)
  const page = db.prepare('insert into orgPage (orgId, name, goal, chart) values (?, ?, ?, ?)')
  const text = db.prepare(`insert into searchText (n, id, type, text) values (?, ?, 'org', ?)`)
  for (let index = 0; index < orgs; index++) {
    const [id, at] = [orgId(index), moment(index)]
    const [name, goal, tagline] = [sentence(index, 4), sentence(index + 3, 25), sentence(index + 1, 15)]
    const author = authorId(index % authors)
    org.run(
      id,
      `org-${index}`,
      author,
      name,
      goal,
      tagline,
      topology,
      roleCount,
      index % 97,
      '0'.repeat(64),
      2_000,
      at,
      at,
    )
    page.run(id, name, goal, chart)
    text.run(-(2 ** 40) - index, id, `${name}\n${goal}\n${tagline}\norg-${index}`)
  }
  db.exec(`insert into counter (key, count) select 'org/all/', count(*) from orgUpload`)
  db.exec(
    `insert into counter (key, count) select 'org/by/' || authorId || '/', count(*) from orgUpload group by authorId`,
  )
}

function insertRuns(db: DatabaseSync, { orgs, authors, runs }: Gallery): void {
  const run = db.prepare('insert into orgRun (id, orgId, authorId, label, createdAt) values (?, ?, ?, ?, ?)')
  const file = db.prepare(
    `insert into orgRunFile (id, runId, position, filename, fileType, sizeBytes) values (?, ?, ?, ?, 'md', 1000)`,
  )
  for (let index = 0; index < runs; index++) {
    run.run(runId(index), orgId(orgs - 1), authorId(index % authors), `Run ${index}`, moment(index))
    for (let position = 0; position < 3; position++) {
      file.run(idOf('c000', index * 3 + position), runId(index), position, `part-${position}.md`)
    }
  }
  db.prepare('update orgUpload set runCount = ? where id = ?').run(runs, orgId(orgs - 1))
}

function insertComments(db: DatabaseSync, { orgs, authors, comments }: Gallery): void {
  const comment = db.prepare(
    `insert into comment (id, targetId, targetType, authorId, body, createdAt) values (?, ?, 'org', ?, ?, ?)`,
  )
  for (let index = 0; index < comments; index++) {
    comment.run(idOf('d000', index), orgId(orgs - 1), authorId(index % authors), sentence(index, 20), moment(index))
  }
  db.prepare('update orgUpload set commentCount = ? where id = ?').run(comments, orgId(orgs - 1))
}
