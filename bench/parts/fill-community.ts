// Fills a new database with a community of the size the figures are claimed for. What the application keeps with each thing
// (feed, search, labels, counters) is kept here too.
import { addAccounts, userId } from './fill-accounts.ts'
import { type Filling, fillDatabase } from './filling.ts'
import { each, idOf, moment, pick, random } from './made-up.ts'
import { rowsOr } from './options.ts'

const things = rowsOr(100_000)
export const size = {
  users: Math.min(things, 100_000),
  bugs: things,
  features: Math.floor(things / 5),
  posts: things,
  labels: 20,
  comments: Math.min(10 * things, Math.max(1_000_000, things)),
  votesOfReader: Math.min(20_000, things),
}

const words =
  'agent audit banner branch cache cannot chart claim client commit cookie crash cursor deploy empty error export feed field filter freeze header import index label latest layout locale login merge message mobile network notify offline panel parser preview profile queue random refresh release render report resume retry scroll search secret server session shadow signal stale static stream submit summary switch syntax system target thread ticket timeout toggle token tooltip trace update upload version webhook widget window worker'.split(
    ' ',
  )
const statuses = ['open', 'in_progress', 'resolved', 'wontfix']
const featureStatuses = ['open', 'planned', 'shipped', 'declined']
const severities = ['low', 'medium', 'high', 'critical']

/** Words in no order: each text is in about as many others as any. */
const sentence = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => pick(words, seed * 97 + index)).join(' ')

type Type = 'bug' | 'feature' | 'post'
/** In ids; in the order of time, all of one type before the next; and in units of 2^40 in the search (src/database/search.ts). */
const placeOf: Record<Type, { kind: string; before: number; block: number; count: number }> = {
  bug: { kind: '9000', before: 0, block: 3, count: size.bugs },
  feature: { kind: '9100', before: size.bugs, block: 4, count: size.features },
  post: { kind: '9200', before: size.bugs + size.features, block: 5, count: size.posts },
}
const types = Object.keys(placeOf) as Type[]

export const idOfThing = (type: Type, index: number) => idOf(placeOf[type].kind, index)
export const labelId = (index: number) => idOf('9300', index)
/** Wrote a third of everything. */
export const busyAuthor = userId(1)
/** Wrote nothing. */
export const quietAuthor = userId(2)
/** Has a tenth of all comments. */
export const busyBug = idOfThing('bug', 0)
/** Has the long thread: 200 comments with replies and reactions. */
export const discussedPost = idOfThing('post', 3)
const LONG_THREAD = 200
/** An admin, whose session is that of the bench. */
const reader = userId(0)

/** One of whom a third is the busy author, and none the reader or the quiet one. */
const authorOf = (seed: number) =>
  random(seed, 3) === 0 ? busyAuthor : userId(3 + random(seed + 1_000_003, size.users - 3))

const common = (type: Type, index: number) => {
  const seed = placeOf[type].before + index
  const own = { id: idOfThing(type, index), title: sentence(seed, 5), authorId: authorOf(seed) }
  return { ...own, score: random(seed + 7, 500) - 50, createdAt: moment(seed) }
}
const numberOf = (type: Type, index: number) => placeOf[type].before + index + 1
const textOf = (type: Type, index: number) => sentence(placeOf[type].before + index + 500_009, 30)
const stateOf = (index: number) => ({
  status: pick(statuses, index + 11),
  severity: pick(severities, index + 13),
})

/** Makes the database at `url`. */
export async function fillCommunity(url: string): Promise<void> {
  await fillDatabase(url, async (into) => {
    await addAccounts(into, size.users, (index) => ({
      ...{
        emailVerifiedAt: moment(index),
        name: sentence(index, 2),
        createdAt: moment(index),
        updatedAt: moment(index),
      },
      role: index === 0 ? 'admin' : index % 1000 === 999 ? 'moderator' : 'member',
    }))
    for (const type of types) await addThings(into, type)
    await addTexts(into)
    await addLabels(into)
    await addComments(into)
    const voted = (index: number) => ({
      targetId: idOfThing('post', size.posts - 1 - index),
      ...{ userId: reader, value: 1 },
    })
    await into.add('vote', each(size.votesOfReader, voted))
    await count(into)
  })
}

async function addThings(into: Filling, type: Type): Promise<void> {
  const own = (index: number) => {
    const [thing, text] = [{ ...common(type, index), number: numberOf(type, index) }, textOf(type, index)]
    if (type === 'post') return { ...thing, body: text }
    const changeable = { ...thing, description: text, updatedAt: thing.createdAt }
    if (type === 'feature') return { ...changeable, status: pick(featureStatuses, index) }
    return { ...changeable, ...stateOf(index) }
  }
  const entry = (index: number) => {
    const thing = common(type, index)
    const number = numberOf(type, index)
    return {
      ...thing,
      type,
      number,
      preview: textOf(type, index).slice(0, 200),
      url: `/community/${type}s/${thing.id}`,
    }
  }
  await into.add(type, each(placeOf[type].count, own))
  await into.add('feedEntry', each(placeOf[type].count, entry))
}

/** What can be found. The numbers are SQLite's, downwards in each block; rows are written upwards. */
async function addTexts(into: Filling): Promise<void> {
  const numbered = (block: number, index: number) => into.engine === 'sqlite' && { rowId: -block * 2 ** 40 - index }
  for (const type of types.toReversed()) {
    const { block, count } = placeOf[type]
    const text = (row: number) => {
      const index = count - 1 - row
      const { id, title } = common(type, index)
      return { ...numbered(block, index), id, type, text: `${title}\n${textOf(type, index)}` }
    }
    await into.add('searchText', each(count, text))
  }
  const account = (row: number) => {
    const index = size.users - 1 - row
    const text = `user${index}@example.com\nuser${index}`
    return { ...numbered(2, index), id: userId(index), type: 'user', text }
  }
  await into.add('searchText', each(size.users, account))
}

/** Each label is on a twentieth of the bugs, the first one on half of them. */
async function addLabels(into: Filling): Promise<void> {
  const label = (index: number) => {
    const name = words[index]!
    return { id: labelId(index), name, nameKey: name, color: '#336699' }
  }
  await into.add('label', each(size.labels, label))
  function* rows() {
    for (let index = 0; index < size.bugs; index++) {
      const { id, authorId, score, createdAt } = common('bug', index)
      const copied = { bugId: id, authorId, score, createdAt, ...stateOf(index) }
      yield { labelId: labelId(1 + random(index + 17, size.labels - 1)), ...copied }
      if (random(index + 19, 2) === 0) yield { labelId: labelId(0), ...copied }
    }
  }
  await into.add('bugLabel', rows())
}

/** Of the post with the long thread: a comment and three replies, and so on, each with a reaction. */
function inThread(index: number) {
  const root = index - (index % 4)
  const parentId = index === root ? null : idOf('d200', root)
  const own = { id: idOf('d200', index), targetType: 'post', targetId: discussedPost, authorId: authorOf(index) }
  const counts = { replyCount: parentId ? 0 : 3, score: 1, heart: 1 }
  const text = { body: sentence(index, 12), createdAt: moment(index) }
  return { ...own, parentId, thread: parentId ?? discussedPost, ...counts, ...text }
}

async function addComments(into: Filling): Promise<void> {
  const comment = (index: number) => {
    const targetId = index % 10 === 0 ? busyBug : idOfThing('bug', random(index + 23, size.bugs))
    const own = { id: idOf('d100', index), targetType: 'bug', targetId, thread: targetId, createdAt: moment(index) }
    return { ...own, authorId: authorOf(index), body: 'It happens here too' }
  }
  await into.add('comment', each(size.comments, comment))
  await into.add('comment', each(LONG_THREAD, inThread))
  await into.add(
    'reaction',
    each(LONG_THREAD, (index) => ({ commentId: idOf('d200', index), userId: reader, reaction: 'heart' })),
  )
  for (const table of ['bug', 'post', 'feedEntry']) {
    await into.run(`update "${table}" set "commentCount" = c.n
      from (select "targetId", count(*) as n from comment group by "targetId") as c where c."targetId" = "${table}".id`)
  }
}

async function count(into: Filling): Promise<void> {
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
    await into.run(`insert into counter (key, count) select ${key}, count(*) from "${table}" group by 1`)
  }
  const last = size.bugs + size.features + size.posts
  await into.run(
    into.engine === 'postgres' ? `select setval('"thingNumber"', ${last})` : `update "thingNumber" set last = ${last}`,
  )
  await into.run(`insert into counter (key, count) values ('reply/post/${discussedPost}/', ${(LONG_THREAD / 4) * 3})`)
}
