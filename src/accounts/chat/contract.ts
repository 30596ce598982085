// Users of chats who act for an account by the slash command: asked for in the chat, confirmed on the site.
import { z } from 'zod'
import { Id, Timestamp, textLike, verbatim } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { chatServices, MAX_CHAT_LINKS } from '../../contract/own-clients.ts'
import { signedIn } from '../../identity/area.ts'
import { chatActions } from '../../identity/audit-actions.ts'

const Service = z.enum(chatServices).meta({ example: 'slack' })
const Name = textLike('mira, acme').meta({ description: 'As the chat calls them, with the workspace' })
const Code = verbatim(1, 2_000).meta({
  example: 'bm9uY2Utc2VhbGVkLXRhZw',
  description: 'From the address that `/guildhall link` shows',
})

const ChatLink = z.object({ id: Id, service: Service, name: Name, createdAt: Timestamp }).meta({ id: 'ChatLink' })

export const chatLinks = {
  list: {
    summary: 'Users of chats who act for my account, oldest first',
    method: 'GET',
    path: '/account/chat-links',
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(ChatLink) }),
  },
  look: {
    summary: 'Who asked in a chat to act for my account',
    method: 'GET',
    path: '/account/chat-links/asked',
    access: signedIn,
    input: z.object({ code: Code }),
    output: z.object({ service: Service, name: Name }),
    problems: ['not_found'],
  },
  confirm: {
    summary: 'Let a user of a chat act for my account',
    description: `They search and file bugs as I do, by the slash command. The code is good once, for ten minutes. An account has at most ${MAX_CHAT_LINKS}; a user of a chat who acts for another account is 409.`,
    method: 'POST',
    kind: 'account',
    path: '/account/chat-links',
    access: signedIn,
    status: 201,
    audit: [chatActions.link],
    input: z.object({ code: Code }),
    output: ChatLink,
    problems: ['not_found', 'conflict', 'rate_limited'],
  },
  remove: {
    summary: 'End the link of a user of a chat',
    method: 'DELETE',
    kind: 'account',
    path: '/account/chat-links/{id}',
    access: signedIn,
    audit: [chatActions.unlink],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
