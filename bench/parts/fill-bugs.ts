// Fills a new database with bugs and votes: months of use in seconds.
import { addAccounts, userId } from './fill-accounts.ts'
import { type Filling, fillDatabase } from './filling.ts'
import { each, idOf, moment, sentences } from './made-up.ts'

export interface Size {
  bugs: number
  votes: number
  users: number
}

const statuses = ['open', 'in_progress', 'resolved', 'wontfix']
const severities = ['low', 'medium', 'high', 'critical']
const sentence = sentences(
  'the queue stalls after midnight when two agents publish one item and the retry never ends'.split(' '),
)

export const bugId = (index: number): string => idOf('9000', index)

/** Makes the database at `url`; bug `i` is the i-th oldest. */
export async function fill(url: string, size: Size): Promise<void> {
  await fillDatabase(url, async (into) => {
    await addAccounts(into, size.users)
    await addBugs(into, size)
  })
}

/** Adds them to a database that is being filled. */
export async function addBugs(into: Filling, { bugs, votes, users }: Size): Promise<void> {
  const perBug = Math.floor(votes / bugs)
  const common = (index: number) => ({
    ...{ id: bugId(index), title: sentence(index, 6), authorId: userId(index % users) },
    ...{ number: index + 1, score: perBug + (index % 7), createdAt: moment(index) },
  })
  const text = (index: number) => sentence(index + 3, 30)
  await into.add(
    'bug',
    each(bugs, (index) => ({
      ...{ ...common(index), description: text(index), updatedAt: moment(index) },
      ...{ status: statuses[index % 4]!, severity: severities[(index >> 2) % 4]! },
    })),
  )
  await into.add(
    'feedEntry',
    each(bugs, (index) => ({
      ...{ ...common(index), type: 'bug', preview: text(index), url: `/community/bugs/${bugId(index)}` },
    })),
  )
  await into.run(
    into.engine === 'postgres' ? `select setval('"thingNumber"', ${bugs})` : `update "thingNumber" set last = ${bugs}`,
  )
  const vote = (index: number) => {
    const bug = Math.floor(index / perBug)
    return { targetId: bugId(bug), userId: userId((bug + (index % perBug) * 13) % users), value: 1 }
  }
  await into.add('vote', each(bugs * perBug, vote))
  await into.run(`insert into counter (key, count)
    select 'bug/all/' || status || '/' || severity || '/', count(*) from bug group by status, severity`)
  await into.run(
    `insert into counter (key, count) select 'feed/all/' || type || '/', count(*) from "feedEntry" group by 1`,
  )
}
