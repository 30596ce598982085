// Fills a new database with a million notifications: bugs with comments, what was told of them, and one bug that everybody follows.
import { sha256 } from '../../src/runtime/hash.ts'
import { addAccounts, userId } from './fill-accounts.ts'
import { addBugs, bugId } from './fill-bugs.ts'
import { type Filling, fillDatabase } from './filling.ts'
import { each, idOf, moment, random } from './made-up.ts'

/** So many accounts follow one bug. */
export const FOLLOWERS = 10_000
/** Whose each inbox is: of an account in this many places in turn. */
const RECIPIENTS = 100
/** The reader's inbox is longer than others. */
const OF_READER = 10_000

export const followedBug = bugId(0)
const LAST_TOKEN = 'bench-session-last'
/** The cookie of the last follower in the order of delivery. */
export const lastCookie = `guildhall_session=${LAST_TOKEN}`

/** Makes the database at `url` with so many notifications, and as many bugs as events. */
export async function fillNotifications(url: string, count: number): Promise<void> {
  const events = Math.ceil(count / RECIPIENTS)
  await fillDatabase(url, async (into) => {
    await addAccounts(into, FOLLOWERS + 1)
    await addBugs(into, { bugs: Math.max(events, 100), votes: 0, users: FOLLOWERS })
    await addFollowers(into)
    await addInboxes(into, events)
  })
}

async function addFollowers(into: Filling): Promise<void> {
  const following = { state: 'following', createdAt: moment(0) }
  await into.add(
    'follow',
    each(FOLLOWERS, (index) => ({ targetId: followedBug, userId: userId(index + 1), ...following })),
  )
  const now = new Date().toISOString()
  const session = { createdAt: now, expiresAt: '2099-01-01T00:00:00.000Z', seenAt: now, authenticatedAt: now }
  await into.add('session', [
    { id: 'bench-last', tokenHash: sha256(LAST_TOKEN), userId: userId(FOLLOWERS), ...session },
  ])
}

/** The reader is told of everything up to a bound; each of the others of one event in a hundred. */
async function addInboxes(into: Filling, events: number): Promise<void> {
  const eventId = (index: number) => idOf('e200', index)
  const ofReader = Math.min(events, OF_READER)
  const event = (index: number) => ({
    ...{ id: eventId(index), kind: 'comment', targetType: 'bug', targetId: bugId(index), number: index + 1 },
    ...{ title: 'The queue stalls after midnight', url: `/community/comments/${idOf('d100', index)}` },
    ...{ actorId: userId(random(index, FOLLOWERS)), commentId: idOf('d100', index), excerpt: 'It happens here too' },
    ...{ detail: null, mentioned: '[]', repliedTo: null, hidden: 0, createdAt: moment(index), place: '' },
    ...{ recipients: RECIPIENTS + (index < ofReader ? 1 : 0), doneAt: moment(index) },
  })
  await into.add('event', each(events, event))
  const isRead = (n: number) => (n % 4 === 0 ? 0 : 1)
  const common = (index: number, n: number) => ({
    ...{ position: n, eventId: eventId(index), kind: 'comment', read: isRead(n), createdAt: moment(index) },
    ...{ mail: null, mailAt: null },
  })
  await into.add(
    'notification',
    each(ofReader, (index) => ({ userId: userId(0), ...common(index, index + 1) })),
  )
  const groups = FOLLOWERS / RECIPIENTS
  await into.add(
    'notification',
    each(events * RECIPIENTS, (at) => {
      const index = Math.floor(at / RECIPIENTS)
      const account = 1 + (index % groups) * RECIPIENTS + (at % RECIPIENTS)
      return { userId: userId(account), ...common(index, Math.floor(index / groups) + 1) }
    }),
  )
  await into.run(`insert into inbox ("userId", last, unread)
    select "userId", max("position"), sum(1 - read) from notification group by "userId"`)
}
