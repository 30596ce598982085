// Names that clients choose, and whose word a name is. They appear on our pages and in our mails, so a name is one short line of visible characters.

const MAX_LENGTH = 60

/** Control, format (including bidirectional and zero-width), unassigned and private characters, and those that render as nothing. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu
const SPACES = /[\p{Z}\t\n\v\f\r\u0085]+/gu

/** The name as one line of at most 60 characters; undefined when nothing is left of it, or it is not a string. */
export function plainName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const line = given.replace(SPACES, ' ').replace(UNSEEN, '').replace(/ +/g, ' ').normalize('NFC').trim()
  // Never cuts a surrogate pair in half.
  const short = line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '') : line
  return short.trim() || undefined
}

/** Whether the id is the URL of a metadata document. */
export const isDocumentUrl = (clientId: string): boolean => clientId.startsWith('https://')

/** Whether the id is of scripts with tokens of their own: the server made it, and no client can register such a one. */
export const isScript = (clientId: string): boolean => clientId.startsWith('urn:guildhall:')

/**
 * Whether what a client calls itself is vouched for: the operator's own agent, or one whose name is in a document of the site that its id
 * names. A client that registered itself can say anything.
 */
export const isVerifiedClient = (clientId: string, agentClientId: string): boolean =>
  clientId === agentClientId || isDocumentUrl(clientId) || isScript(clientId)
