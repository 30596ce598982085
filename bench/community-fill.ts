// A community of the size the figures are claimed for, written straight into a SQLite file by prepared inserts. What the
// application keeps with each thing (feed, search, labels, tallies) is kept here too.
import { randomUUIDv7 } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

export const size = {
  users: 100_000,
  bugs: 100_000,
  features: 20_000,
  posts: 100_000,
  labels: 20,
  comments: 1_000_000,
  votesOfReader: 20_000,
}

/** Ids that the measurements ask for. */
export interface Filled {
  bugs: string[]
  features: string[]
  posts: string[]
  labels: string[]
  /** Wrote a third of everything. */
  busyAuthor: string
  quietAuthor: string
  /** Has a tenth of all comments. */
  busyBug: string
}

const words =
  'agent audit banner branch cache cannot chart claim client commit cookie crash cursor deploy empty error export feed field filter freeze header import index label latest layout locale login merge message mobile network notify offline panel parser preview profile queue random refresh release render report resume retry scroll search secret server session shadow signal stale static stream submit summary switch syntax system target thread ticket timeout toggle token tooltip trace update upload version webhook widget window worker'.split(
    ' ',
  )
const statuses = ['open', 'in_progress', 'resolved', 'wontfix']
const featureStatuses = ['open', 'planned', 'shipped', 'declined']
const severities = ['low', 'medium', 'high', 'critical']

let seed = 42
/** The same numbers on every run (Lehmer's generator, 48271). */
function random(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!
const sentence = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ')

let moment = Date.UTC(2026, 0, 1)
const nextMoment = () => {
  moment += 1 + random(60_000)
  return new Date(moment).toISOString()
}

/** Fills the file, in which `reader` has an account already. */
export function fill(path: string, reader: string): Filled {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; pragma cache_size = -200000; begin')
  const authors = users(db)
  const [busyAuthor = '', quietAuthor = ''] = authors
  const author = () => (random(3) === 0 ? busyAuthor : authors[2 + random(authors.length - 2)]!)
  const labels = labelRows(db)
  const bugs = things(db, 'bug', size.bugs, author)
  const features = things(db, 'feature', size.features, author)
  const posts = things(db, 'post', size.posts, author)
  searchTexts(db)
  labelling(db, bugs, labels)
  comments(db, bugs, author)
  const vote = inserter(db, 'vote', ['targetId', 'userId', 'value'])
  for (const id of [...bugs, ...posts].slice(-size.votesOfReader)) vote(id, reader, 1)
  tallies(db)
  db.exec('commit')
  db.close()
  return { bugs, features, posts, labels, busyAuthor, quietAuthor, busyBug: bugs[0]! }
}

function inserter(db: DatabaseSync, table: string, columns: string[]): (...values: SQLInputValue[]) => void {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const statement = db.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
  return (...values) => void statement.run(...values)
}

function users(db: DatabaseSync): string[] {
  const names = ['id', 'email', 'emailVerifiedAt', 'name', 'username', 'usernameKey', 'role', 'createdAt', 'updatedAt']
  const insert = inserter(db, 'user', names)
  return Array.from({ length: size.users }, (_, n) => {
    const id = randomUUIDv7()
    const at = nextMoment()
    const email = `user${n}@example.com`
    insert(id, email, at, sentence(2), `user${n}`, `user${n}`, n % 1000 === 999 ? 'moderator' : 'member', at, at)
    texts.push([-(2 ** 41) - n, id, 'user', `${email}\nuser${n}`])
    return id
  })
}

/** What can be found; numbered downwards (src/database/search.ts), and written upwards, which the index does at once. */
const texts: [n: number, id: string, type: string, text: string][] = []

function searchTexts(db: DatabaseSync): void {
  const insert = inserter(db, 'searchText', ['n', 'id', 'type', 'text'])
  for (const row of texts.reverse()) insert(...row)
}

function labelRows(db: DatabaseSync): string[] {
  const insert = inserter(db, 'label', ['id', 'name', 'nameKey', 'color'])
  return words.slice(0, size.labels).map((name) => {
    const id = randomUUIDv7()
    insert(id, name, name, '#336699')
    return id
  })
}

const columns = {
  bug: ['id', 'title', 'description', 'authorId', 'score', 'createdAt', 'updatedAt', 'status', 'severity'],
  feature: ['id', 'title', 'description', 'authorId', 'score', 'createdAt', 'updatedAt', 'status'],
  post: ['id', 'title', 'body', 'authorId', 'score', 'createdAt'],
}

/** Where a type's row numbers begin in the search, in units of 2^40 (src/database/search.ts). */
const blocks = { bug: 3, feature: 4, post: 5 }

function things(db: DatabaseSync, type: keyof typeof columns, count: number, author: () => string): string[] {
  const insert = inserter(db, type, columns[type])
  const entries = ['id', 'type', 'title', 'preview', 'authorId', 'url', 'score', 'createdAt']
  const feed = inserter(db, 'feedEntry', entries)
  return Array.from({ length: count }, (_, n) => {
    const id = randomUUIDv7()
    const [title, text, by, score, at] = [sentence(5), sentence(30), author(), random(500) - 50, nextMoment()]
    const record = [id, title, text, by, score, at]
    if (type === 'post') insert(...record)
    else if (type === 'feature') insert(...record, at, pick(featureStatuses))
    else insert(...record, at, pick(statuses), pick(severities))
    feed(id, type, title, text.slice(0, 200), by, `/community/${type}s/${id}`, score, at)
    texts.push([-blocks[type] * 2 ** 40 - n, id, type, `${title}\n${text}`])
    return id
  })
}

/** Each label is on a twentieth of the bugs, the first one on half of them. */
function labelling(db: DatabaseSync, bugs: readonly string[], labels: readonly string[]): void {
  const insert =
    db.prepare(`insert into "bugLabel" ("labelId", "bugId", "authorId", status, severity, score, "createdAt")
    select ?, id, "authorId", status, severity, score, "createdAt" from bug where id = ?`)
  for (const bug of bugs) {
    insert.run(labels[1 + random(labels.length - 1)]!, bug)
    if (random(2) === 0) insert.run(labels[0]!, bug)
  }
}

function comments(db: DatabaseSync, bugs: readonly string[], author: () => string): void {
  const insert = inserter(db, 'comment', ['id', 'targetId', 'targetType', 'authorId', 'body', 'createdAt'])
  for (let n = 0; n < size.comments; n++) {
    insert(randomUUIDv7(), n % 10 === 0 ? bugs[0]! : pick(bugs), 'bug', author(), 'It happens here too', nextMoment())
  }
  db.exec(`update bug set "commentCount" =
    (select count(*) from comment where "targetType" = 'bug' and "targetId" = bug.id);
    update "feedEntry" set "commentCount" = (select "commentCount" from bug where bug.id = "feedEntry".id)
    where type = 'bug'`)
}

function tallies(db: DatabaseSync): void {
  const groups: [kind: string, table: string, group: string, facets: string[]][] = [
    ['bug', 'bug', `'all'`, ['status', 'severity']],
    ['bug', 'bug', `'by/' || "authorId"`, ['status', 'severity']],
    ['bug', 'bugLabel', `'label/' || "labelId"`, ['status', 'severity']],
    ['bug', 'bugLabel', `'label-by/' || "labelId" || '/' || "authorId"`, ['status', 'severity']],
    ['feature', 'feature', `'all'`, ['status']],
    ['feature', 'feature', `'by/' || "authorId"`, ['status']],
    ['post', 'post', `'all'`, []],
    ['post', 'post', `'by/' || "authorId"`, []],
    ['feed', 'feedEntry', `'all'`, ['type']],
    ['feed', 'feedEntry', `'by/' || "authorId"`, ['type']],
  ]
  for (const [kind, table, group, facets] of groups) {
    const key = [`'${kind}/' || ${group} || '/'`, ...facets.map((facet) => `${facet} || '/'`)].join(' || ')
    db.exec(`insert into counter (key, count) select ${key}, count(*) from "${table}" group by 1`)
  }
}
