// Clients that no one registers: the widget on other sites, the slash command of chats, and runs of a CI. No client can have the id of one.
// The widget (behaviour.md, section 4): who its tokens are of, and what they may do.

/** The client of the grants that are made for people whom a listed site vouches for: no client can have this id. */
export const WIDGET_CLIENT = 'urn:guildhall:widget'

/** A contract whose operations of these names a token of the widget may call. */
export function usedByWidget<C extends Readonly<Record<string, object>>>(contract: C, names: readonly (keyof C)[]): C {
  const used = names.map((name) => [name, { ...contract[name], widget: true }])
  return { ...contract, ...Object.fromEntries(used) }
}

/** Whether a program of its own acts by a token. In the widget a person types and presses. */
export const isByAgent = <Via extends object>(via: Via): via is Extract<Via, { clientId: string }> =>
  'clientId' in via && via.clientId !== WIDGET_CLIENT

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

// Trusted publishing (behaviour.md, section 4): a run of a CI publishes one item without a stored secret.

/** The client of the grants that are made for runs of a CI: no client can have this id. Its tokens publish, and do nothing else. */
export const PUBLISHING_CLIENT = 'urn:guildhall:trusted-publishing'

/** Issuers of ID tokens that are known by name. */
export const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com'
export const GITLAB_ISSUER = 'https://gitlab.com'
