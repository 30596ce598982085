// Fills a new SQLite database with a community of any size, by prepared statements: minutes of use in seconds.
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../src/database/open.ts'
import { sha256 } from '../src/runtime/hash.ts'

export interface Size {
  bugs: number
  votes: number
  users: number
}

/** The session every bench signs in with. */
export const SESSION_TOKEN = 'bench-session'

const statuses = ['open', 'in_progress', 'resolved', 'wontfix']
const severities = ['low', 'medium', 'high', 'critical']
const words = 'the queue stalls after midnight when two agents publish one item and the retry never ends'.split(' ')

/** A sentence that differs from entry to entry and is the same in every run. */
const sentence = (seed: number, length: number) =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]).join(' ')

const moment = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
const idOf = (kind: string, index: number) => `01900000-0000-7000-${kind}-${index.toString(16).padStart(12, '0')}`
export const userId = (index: number) => idOf('8000', index)
export const bugId = (index: number) => idOf('9000', index)

/** Makes the database at `path`; bug `i` is the i-th oldest, user 0 has the session of `SESSION_TOKEN`. */
export async function fill(path: string, { bugs, votes, users }: Size): Promise<void> {
  const store = await openDatabase(path)
  await store.db.destroy()
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; begin')
  insertUsers(db, users)
  const perBug = Math.floor(votes / bugs)
  insertBugs(db, bugs, users, perBug)
  insertVotes(db, bugs, users, perBug)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}

function insertUsers(db: DatabaseSync, users: number): void {
  const user = db.prepare(
    `insert into user (id, email, name, username, usernameKey, role, createdAt, updatedAt) values (?, ?, ?, ?, ?, 'member', ?, ?)`,
  )
  for (let index = 0; index < users; index++) {
    const name = `user${index}`
    user.run(userId(index), `${name}@example.com`, name, name, name, moment(0), moment(0))
  }
  db.prepare(
    `insert into session (id, tokenHash, userId, createdAt, expiresAt, seenAt, authenticatedAt)
     values (?, ?, ?, ?, '2099-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  ).run('bench', sha256(SESSION_TOKEN), userId(0), moment(0))
}

function insertBugs(db: DatabaseSync, bugs: number, users: number, score: number): void {
  const bug = db.prepare(
    `insert into bug (id, title, description, authorId, status, severity, score, createdAt, updatedAt) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const entry = db.prepare(
    `insert into feedEntry (id, type, title, preview, authorId, url, score, createdAt) values (?, 'bug', ?, ?, ?, ?, ?, ?)`,
  )
  for (let index = 0; index < bugs; index++) {
    const id = bugId(index)
    const title = sentence(index, 6)
    const description = sentence(index + 3, 30)
    const author = userId(index % users)
    const at = moment(index)
    const points = score + (index % 7)
    bug.run(id, title, description, author, statuses[index % 4]!, severities[(index >> 2) % 4]!, points, at, at)
    entry.run(id, title, description, author, `/community/bugs/${id}`, points, at)
  }
  const counter = db.prepare(
    `insert into counter (key, count) select 'bug/all/' || status || '/' || severity || '/', count(*) from bug group by status, severity`,
  )
  counter.run()
  db.exec(`insert into counter (key, count) select 'feed/all/' || type || '/', count(*) from feedEntry group by 1`)
}

function insertVotes(db: DatabaseSync, bugs: number, users: number, perBug: number): void {
  const vote = db.prepare('insert into vote (targetId, userId, value) values (?, ?, 1)')
  for (let index = 0; index < bugs; index++) {
    for (let voter = 0; voter < perBug; voter++) vote.run(bugId(index), userId((index + voter * 13) % users))
  }
}
