// How links of users of chats to accounts are stored. Locks are taken in one order: account, link.
import type { Selectable } from 'kysely'
import type { ChatUser } from '../contract/own-clients.ts'
import { countRows } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { ChatLinkTable, Db, Transaction } from '../database/schema.ts'
import { callerColumns, standing } from './account-queries.ts'

export type ChatLink = Selectable<ChatLinkTable>

/** Stores a link; false when the user of the chat is linked already. */
export async function insertChatLink(db: Transaction, link: ChatLink): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('chatLink')
    .values(link)
    .onConflict((conflict) => conflict.columns(['service', 'workspace', 'chatUser']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

const ofUser = ({ service, workspace, user }: ChatUser) => ({ service, workspace, chatUser: user })

const shown = ['id', 'service', 'name', 'createdAt'] as const

export const findChatLink = (db: Db, user: ChatUser) =>
  db
    .selectFrom('chatLink')
    .select([...shown, 'userId'])
    .where((e) => e.and(ofUser(user)))
    .executeTakeFirst()

/** Oldest first. */
export const listChatLinks = (db: Db, userId: string) =>
  db.selectFrom('chatLink').select(shown).where('userId', '=', userId).orderBy('id').execute()

export const countChatLinks = (db: Db, userId: string): Promise<number> =>
  countRows(db.selectFrom('chatLink').where('userId', '=', userId))

/** The account that a user of a chat acts for: one indexed look-up. */
export const findChatCaller = (db: Db, user: ChatUser) =>
  db
    .selectFrom('chatLink')
    .innerJoin('user', 'user.id', 'chatLink.userId')
    .select([...callerColumns, 'user.language'])
    .where((e) => e.and(ofUser(user)))
    .where(standing('chatLink'))
    .executeTakeFirst()

export const deleteChatLink = (db: Transaction, { id, userId }: Pick<ChatLink, 'id' | 'userId'>) =>
  db
    .deleteFrom('chatLink')
    .where((e) => e.and({ id, userId }))
    .returning('service')
    .executeTakeFirst()

/** Returns the number of removed links. */
export const deleteChatLinksOf = plain.deleteCounted('chatLink', 'userId')
