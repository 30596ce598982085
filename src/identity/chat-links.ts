// Users of chats who act for an account. A link is begun in the chat, by a code that is sealed and good once for ten minutes, and made by the account
// that is signed in on the site: so both have agreed to it.
import { z } from 'zod'
import { type ChatUser, chatClient, chatServices } from '../contract/own-clients.ts'
import type { Db } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import { after } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { objectIn } from '../runtime/json.ts'
import { seal, unseal } from '../runtime/seal.ts'
import { findChatCaller } from './chat-link-queries.ts'
import { callerOf } from './sessions.ts'

const CODE_SECONDS = 600
/** Of the names of a user and a workspace together. */
const NAME_LENGTH = 100

const Asked = z.object({
  /** By which it is known that it was used: one code can be written in several ways. */
  id: z.string(),
  service: z.enum(chatServices),
  workspace: z.string(),
  user: z.string(),
  name: z.string(),
  expiresAt: z.string(),
})

/** What a code asks for: that this user of a chat acts for who confirms it. */
export type AskedLink = z.output<typeof Asked>

type Secrets = Pick<Dependencies, 'secretFor'>

/** A code for the address that the chat shows to its user alone. */
export async function newLinkCode(
  { secretFor }: Secrets,
  { name, ...user }: ChatUser & { name: string },
  now: string,
): Promise<string> {
  const asked: AskedLink = {
    id: newId(),
    ...user,
    name: name.slice(0, NAME_LENGTH).toWellFormed(),
    expiresAt: after(now, CODE_SECONDS),
  }
  return seal(await secretFor('chat links'), JSON.stringify(asked))
}

/** What a code asks for; undefined for one that is too old, or is none. */
export async function readLinkCode({ secretFor }: Secrets, code: string, now: string): Promise<AskedLink | undefined> {
  const key = await secretFor('chat links')
  try {
    const asked = Asked.parse(objectIn(unseal(key, code)))
    return asked.expiresAt > now ? asked : undefined
  } catch {
    return undefined
  }
}

/** Finds the account that a user of a chat acts for. It reads and writes in the community, and does nothing else. */
export const chatCallers =
  ({ db }: { db: Db }) =>
  async (user: ChatUser) => {
    const account = await findChatCaller(db, user)
    if (!account) return undefined
    const via = {
      scopes: ['community:read', 'community:write'] as const,
      clientId: chatClient(user.service),
      grantId: null,
    }
    return {
      caller: callerOf(account, via),
      blocked: account.blockedAt !== null,
      leaving: account.deletionAt !== null,
    }
  }
