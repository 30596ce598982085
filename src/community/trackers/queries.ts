// Links with other trackers, what is what on their other side, and what waits to be looked at, as they are stored.
import { titlesIn } from '../../content/title-queries.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, TrackerPairTable, TrackerPersonTable, TrackerTable } from '../../database/schema.ts'
import { standing } from '../../identity/account-queries.ts'

const columns = [
  ...([
    'id',
    'source',
    'name',
    'nameKey',
    'boardId',
    'publish',
    'token',
    'secret',
    'ownId',
    'ownLogin',
    'state',
  ] as const),
  ...(['since', 'polledAt', 'etag', 'restUntil', 'error', 'errorAt', 'createdBy', 'createdAt'] as const),
] as const

export const insertTracker = inTransaction.insertInto('tracker')
export const updateTracker = plain.updateTable('tracker', 'id')
export const findTracker = plain.selectFrom('tracker', 'id', columns)
export const lockTracker = inTransaction.selectForUpdate('tracker', 'id', columns)
/** With all that is known of its other side. */
export const deleteTracker = inTransaction.deleteFrom('tracker', 'id')

interface Counts {
  /** What is still to be looked at, and what of it failed before. */
  waiting: number
  failed: number
  /** Bugs with an issue. */
  paired: number
}

/** Oldest first, with how much waits for each. */
export const listTrackers = (db: Db): Promise<(TrackerTable & Counts)[]> =>
  db
    .selectFrom('tracker')
    .select(columns)
    .select((row) => [
      row
        .selectFrom('trackerWork')
        .select((e) => e.fn.countAll<number>().as('count'))
        .whereRef('trackerWork.trackerId', '=', 'tracker.id')
        .as('waiting'),
      row
        .selectFrom('trackerWork')
        .select((e) => e.fn.countAll<number>().as('count'))
        .whereRef('trackerWork.trackerId', '=', 'tracker.id')
        .where('trackerWork.attempts', '>', 0)
        .as('failed'),
      row
        .selectFrom('trackerPair')
        .select((e) => e.fn.countAll<number>().as('count'))
        .whereRef('trackerPair.trackerId', '=', 'tracker.id')
        .where('trackerPair.type', '=', 'bug')
        .as('paired'),
    ])
    .orderBy('createdAt')
    .orderBy('id')
    .$castTo<TrackerTable & Counts>()
    .execute()

/** Links with something to do, by how long they wait: something is due, or it is time to ask for changes. */
export const listBusy = (
  db: Db,
  { now, pollBefore, limit }: { now: string; pollBefore: string; limit: number },
): Promise<{ key: string }[]> =>
  db
    .selectFrom('tracker')
    .select('id as key')
    .where('state', '=', 'on')
    .where('restUntil', '<=', now)
    .where((e) =>
      e.or([
        e('polledAt', '<=', pollBefore),
        e.exists(
          e
            .selectFrom('trackerWork')
            .select('key')
            .whereRef('trackerWork.trackerId', '=', 'tracker.id')
            .where('trackerWork.dueAt', '<=', now),
        ),
      ]),
    )
    .orderBy('polledAt')
    .limit(limit)
    .execute()

const pairColumns = [
  'trackerId',
  'thingId',
  'type',
  'onId',
  'sourceId',
  'number',
  'common',
  'triedAt',
  'lookedAt',
] as const
export type Pair = Pick<TrackerPairTable, (typeof pairColumns)[number]>

const pairs = (db: Db, trackerId: string) =>
  db.selectFrom('trackerPair').select(pairColumns).where('trackerId', '=', trackerId)

export const findPair = (
  db: Db,
  { trackerId, thingId }: Pick<Pair, 'trackerId' | 'thingId'>,
): Promise<Pair | undefined> => pairs(db, trackerId).where('thingId', '=', thingId).executeTakeFirst()

export const findPairOf = (
  db: Db,
  { trackerId, type, sourceId }: Pick<Pair, 'trackerId' | 'type'> & { sourceId: string },
): Promise<Pair | undefined> =>
  pairs(db, trackerId).where('type', '=', type).where('sourceId', '=', sourceId).executeTakeFirst()

/** The comments on a bug. */
export const listPairsOn = (db: Db, { trackerId, onId }: { trackerId: string; onId: string }): Promise<Pair[]> =>
  pairs(db, trackerId).where('onId', '=', onId).execute()

/** Bugs that were tried to be made there, and are not known to be. */
export const listTried = (db: Db, trackerId: string): Promise<Pair[]> =>
  pairs(db, trackerId)
    .where('type', '=', 'bug')
    .where('number', 'is', null)
    .where('triedAt', 'is not', null)
    .orderBy('triedAt', 'desc')
    .limit(1_000)
    .execute()

/** Bugs that were not looked at for longest. */
export const listLongAgo = (
  db: Db,
  { trackerId, before, limit }: { trackerId: string; before: string; limit: number },
): Promise<Pair[]> =>
  pairs(db, trackerId)
    .where('type', '=', 'bug')
    .where('number', 'is not', null)
    .where('lookedAt', '<', before)
    .orderBy('lookedAt')
    .limit(limit)
    .execute()

export const insertPair = plain.insertInto('trackerPair')

export async function updatePair(
  db: Db,
  { trackerId, thingId }: Pick<Pair, 'trackerId' | 'thingId'>,
  changes: Partial<Pick<Pair, 'sourceId' | 'number' | 'common' | 'triedAt' | 'lookedAt'>>,
): Promise<void> {
  await db
    .updateTable('trackerPair')
    .set(changes)
    .where((e) => e.and({ trackerId, thingId }))
    .execute()
}

const personColumns = ['trackerId', 'personId', 'login', 'ownAccountId', 'linkedAccountId'] as const
export type TrackedPerson = Pick<TrackerPersonTable, (typeof personColumns)[number]>

const people = (db: Db, trackerId: string) =>
  db.selectFrom('trackerPerson').select(personColumns).where('trackerId', '=', trackerId)

export const findPerson = (db: Db, { trackerId, personId }: Pick<TrackedPerson, 'trackerId' | 'personId'>) =>
  people(db, trackerId).where('personId', '=', personId).executeTakeFirst()

/** Stores a person, or what is new of one. */
export async function putPerson(db: Db, person: TrackedPerson): Promise<void> {
  const { login, ownAccountId, linkedAccountId } = person
  await db
    .insertInto('trackerPerson')
    .values(person)
    .onConflict((conflict) =>
      conflict.columns(['trackerId', 'personId']).doUpdateSet({ login, ownAccountId, linkedAccountId }),
    )
    .execute()
}

/** Those who act for an account, with its username. */
export const listLinkedPeople = (db: Db, trackerId: string) =>
  db
    .selectFrom('trackerPerson')
    .innerJoin('user', 'user.id', 'trackerPerson.linkedAccountId')
    .select(['trackerPerson.personId', 'trackerPerson.login', 'user.username'])
    .where('trackerId', '=', trackerId)
    .orderBy('login')
    .limit(1_000)
    .execute()

/** Those who proved to be people of a host, by their accounts here. */
export const listProvenPeople = (db: Db, host: string) =>
  db
    .selectFrom('trackerAccount')
    .innerJoin('user', 'user.id', 'trackerAccount.userId')
    .select(['trackerAccount.personId', 'trackerAccount.login', 'user.username'])
    .where('host', '=', host)
    .where('linkedAt', 'is not', null)
    .where(standing('trackerAccount'))
    .orderBy('login')
    .limit(1_000)
    .execute()

/** The logins of those whom an admin named to act for an account. */
export const listActingFor = async (
  db: Db,
  { trackerId, accountId }: { trackerId: string; accountId: string },
): Promise<string[]> =>
  (await people(db, trackerId).where('linkedAccountId', '=', accountId).orderBy('login').limit(100).execute()).map(
    ({ login }) => login,
  )

/** The last change of the status of a bug, and who made it. */
export const findLastStatus = (db: Db, targetId: string) =>
  db
    .selectFrom('statusChange')
    .select(['createdAt', 'actorId'])
    .where('targetId', '=', targetId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The last changes of a text, the newest first. */
export const listLastEdits = (db: Db, targetId: string) =>
  db
    .selectFrom('revision')
    .select(['createdAt', 'editorId', 'changes'])
    .where('targetId', '=', targetId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()

/** All comments on a bug, hidden or not, oldest first. */
export const listCommentsOn = (db: Db, bugId: string) =>
  db
    .selectFrom('comment')
    .leftJoin('user as author', 'author.id', 'comment.authorId')
    .select([
      'comment.id',
      'comment.authorId',
      'comment.body',
      'comment.hidden',
      'comment.editedAt',
      'comment.createdAt',
    ])
    .select(['author.username', 'author.blockedAt'])
    .where('comment.targetType', '=', 'bug')
    .where('comment.targetId', '=', bugId)
    .orderBy('comment.createdAt')
    .orderBy('comment.id')
    .execute()

/** The username and the block of an account. */
export const findWriter = plain.selectFrom('user', 'id', ['username', 'blockedAt', 'role'])

/** The labels of this instance that these names, in lower case, are. */
export const listLabelsNamed = async (db: Db, names: readonly string[]) =>
  names.length === 0
    ? []
    : db.selectFrom('label').select(['id', 'name', 'nameKey', 'color']).where('nameKey', 'in', names).execute()

const clearing =
  (column: 'ownAccountId' | 'linkedAccountId') =>
  async (db: Db, userId: string): Promise<number> => {
    await db
      .updateTable('trackerPerson')
      .set({ [column]: null })
      .where(column, '=', userId)
      .execute()
    return 0
  }
export const clearOwnAccount = clearing('ownAccountId')
export const clearLinkedAccount = clearing('linkedAccountId')

export async function clearTrackersBy(db: Db, userId: string): Promise<number> {
  await db.updateTable('tracker').set({ createdBy: null }).where('createdBy', '=', userId).execute()
  return 0
}

/** What the audit log calls a link. */
export const findTrackerTitles = titlesIn('tracker', ['id', 'name'], ({ id, name }) => ({ id, title: name, url: null }))

/** Whether there is a comment of this id, on anything. */
export const findComment = plain.selectFrom('comment', 'id', ['targetId'])
