// Links of users of chats: who is signed in on the site confirms what was asked for in the chat.
import { record } from '../../audit/audit.ts'
import { MAX_CHAT_LINKS } from '../../contract/own-clients.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { chatActions } from '../../identity/audit-actions.ts'
import * as links from '../../identity/chat-link-queries.ts'
import { type AskedLink, readLinkCode } from '../../identity/chat-links.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import { issuedNow } from '../../identity/credentials.ts'
import { limit } from '../../identity/guesses.ts'
import { limits } from '../../identity/rules.ts'
import { lockCaller } from '../../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import type { chatLinks } from './contract.ts'

const tooOld = () => new Problem('not_found', 'This address is too old or was used; ask for another one in the chat')

async function askedBy(context: Context<Caller>, code: string): Promise<AskedLink> {
  const asked = await readLinkCode(context, code, context.now)
  if (!asked) throw tooOld()
  return asked
}

async function addLink(context: Context<Caller>, db: Transaction, asked: AskedLink) {
  const { now, address } = context
  const user = await lockCaller(context, db)
  const { service, workspace, name, user: chatUser } = asked
  const used = { hash: sha256(`chat link ${asked.id}`), expiresAt: asked.expiresAt }
  if (!(await insertUsedProof(db, used))) throw tooOld()
  const found = await links.findChatLink(db, { service, workspace, user: chatUser })
  if (found && found.userId !== user.id) {
    throw new Problem('conflict', 'This user of the chat acts for another account; end that link first')
  }
  // A code renews what is known of the user.
  if (found) await links.deleteChatLink(db, { id: found.id, userId: user.id })
  if ((await links.countChatLinks(db, user.id)) >= MAX_CHAT_LINKS) {
    throw new Problem('conflict', `An account has at most ${MAX_CHAT_LINKS} links of chats`)
  }
  const shown = { id: newId(), service, name, createdAt: issuedNow(user, now) }
  if (!(await links.insertChatLink(db, { ...shown, workspace, chatUser, userId: user.id }))) {
    throw new Problem('conflict', 'This user of the chat acts for another account; end that link first')
  }
  const act = { action: chatActions.link, actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, detail: { service, name }, address })
  return shown
}

export const handlers: Handlers<typeof chatLinks> = {
  list: async ({ db, caller }) => ({ items: await links.listChatLinks(db, caller.id) }),

  async look(context, { code }) {
    const { service, name } = await askedBy(context, code)
    return { service, name }
  },

  async confirm(context, { code }) {
    await limit(context, `chat-link:${context.caller.id}`, limits.chatLinksByAccount)
    const asked = await askedBy(context, code)
    return context.db.transaction().execute((db) => addLink(context, db, asked))
  },

  async remove(context, { id }) {
    const { caller, now, address } = context
    return context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const removed = await links.deleteChatLink(db, { id, userId: user.id })
      if (!removed) throw new Problem('not_found', 'No such link')
      const act = { action: chatActions.unlink, actorId: caller.id, targetType: 'user', targetId: caller.id }
      await record(db, now, { ...act, detail: removed, address })
      return { id }
    })
  },
}
