// The slash command of chats (behaviour.md, section 5): from where it comes, and as whose client it writes.
export const chatServices = ['slack', 'discord'] as const
export type ChatService = (typeof chatServices)[number]

/** What a user of a chat writes by: no client can have this id. */
export const chatClient = (service: ChatService): string => `urn:guildhall:chat:${service}`

/** A user of a chat, as the service knows them. */
export interface ChatUser {
  service: ChatService
  workspace: string
  user: string
}

/** Of one account. */
export const MAX_CHAT_LINKS = 10

export const CHAT_LINK_PAGE = '/settings/chat'
