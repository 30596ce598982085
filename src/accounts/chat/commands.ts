// What the slash command does: it calls the operations that everything else calls, for the account that a user of the chat is linked to.
import de from '../../../messages/chat/de.json' with { type: 'json' }
import en from '../../../messages/chat/en.json' with { type: 'json' }
import type { ChatMessages } from '../../../messages/chat/keys.ts'
import { countTry } from '../../budgets/budgets.ts'
import { CHAT_LINK_PAGE } from '../../contract/own-clients.ts'
import { Problem } from '../../contract/problem.ts'
import { oneLine } from '../../contract/storable.ts'
import type { BoundOperation } from '../../core/bind.ts'
import type { Core } from '../../core/call-request.ts'
import { callGiven } from '../../core/given-call.ts'
import { isPrivate } from '../../core/readers.ts'
import type { Piece } from '../../formats/chat.ts'
import { shownText } from '../../formats/visible.ts'
import { findChatCaller } from '../../identity/chat-link-queries.ts'
import { newLinkCode } from '../../identity/chat-links.ts'
import { limits } from '../../identity/rules.ts'
import { languageOf } from '../../language/choice.ts'
import { catalogueOf, speaker, type Words } from '../../language/words.ts'
import type { Dependencies } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import type { Command } from './asked.ts'

/** The operations, as every door calls them. */
export interface Calling {
  core: Core
  operations: ReadonlyMap<string, BoundOperation>
}

interface Asking {
  dependencies: Dependencies
  calling: Calling
  command: Command
  now: string
  address: string
  /** The language of the account, once it is known: an answer that comes late is in it too. */
  known: { language?: string | null }
}

const chatWords = speaker<ChatMessages>(catalogueOf({ chat: { en, de } }))

/** Hits of a search that an answer has. */
const MAX_HITS = 5
const MAX_WORDS = 200

const text = (said: string): Piece => ({ text: said, isLink: false })
const link = (address: string): Piece => ({ text: address, isLink: true })

/** The words of the account, or else of the chat. */
function wordsOf({ dependencies: { config }, command, known }: Pick<Asking, 'dependencies' | 'command' | 'known'>) {
  const { name, languages: added } = config
  const language = languageOf({ account: known.language, acceptLanguage: command.language, added })
  return chatWords(language, { name, languages: added })
}

/** The lines of the answer. */
export async function linesFor(asking: Asking): Promise<Piece[][]> {
  const { dependencies, command } = asking
  const account = await findChatCaller(dependencies.db, command.user)
  asking.known.language = account?.language ?? null
  const t = wordsOf(asking)
  try {
    await countCommand(asking)
    return await run(asking, t)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code === 'unauthorized'
      ? [[text(t('chat.linkFirst'))]]
      : [[text(t('chat.refused', { reason: error.message }))]]
  }
}

/** Where it takes longer than the chat waits. */
export function lateLines(asking: Pick<Asking, 'dependencies' | 'command' | 'known'>): Piece[][] {
  const t = wordsOf(asking)
  return [[text(t('chat.slow'))]]
}

async function countCommand({ dependencies: { config, db }, command, now }: Asking): Promise<void> {
  const { service, workspace, user } = command.user
  if (!config.rateLimits) return
  await countTry(db, { key: `chat:${service}:${workspace}:${user}`, limit: limits.commandsByChatUser, now })
}

type ChatWords = Words<ChatMessages>

async function run(asking: Asking, t: ChatWords): Promise<Piece[][]> {
  const { verb } = asking.command
  if (verb === 'search') return find(asking, t)
  if (verb === 'bug') return fileBug(asking, t)
  if (verb === 'link') return startLink(asking, t)
  return [[text(t('chat.help'))]]
}

async function callFor(
  asking: Asking,
  name: string,
  { input, asAccount }: { input: Record<string, unknown>; asAccount: boolean },
) {
  const { calling, command, address } = asking
  const { name: _, ...chatUser } = command.user
  const credentials = { sessionToken: undefined, accessToken: undefined, ...(asAccount && { chatUser }) }
  return callGiven(calling.core, required(calling.operations.get(name)), {
    requestId: newId(),
    credentials,
    address,
    input,
  })
}

interface SearchAnswer {
  items: { title: { text: string }[]; url: string }[]
}

/** What everybody sees; on a private instance for those who read it. */
async function find(asking: Asking, t: ChatWords): Promise<Piece[][]> {
  const { dependencies, command } = asking
  const { config } = dependencies
  const q = command.words.slice(0, MAX_WORDS).trim()
  if (q === '') return [[text(t('chat.searchWhat'))]]
  const { output } = await callFor(asking, 'search.find', { input: { q }, asAccount: isPrivate(config) })
  const hits = (output as SearchAnswer).items.slice(0, MAX_HITS)
  if (hits.length === 0) return [[text(t('chat.nothing'))]]
  return hits.map(({ title, url }) => {
    const name = shownText(oneLine(title.map((part) => part.text).join('')))
    return [text(`${name}: `), link(new URL(url, config.baseUrl).href)]
  })
}

async function fileBug(asking: Asking, t: ChatWords): Promise<Piece[][]> {
  const { command, dependencies } = asking
  const { words: title, text: description } = command
  if (title === '' || description === '') return [[text(t('chat.bugHow'))]]
  const input = { title, description, severity: 'medium' }
  const { status, output } = await callFor(asking, 'bugs.create', { input, asAccount: true })
  const { id } = output as { id?: string }
  // Where the account looks at what programs write first, there is none yet.
  if (status !== 201 || id === undefined) return [[text(t('chat.waits'))]]
  return [[text(`${t('chat.filed')} `), link(`${dependencies.config.baseUrl}/community/bugs/${id}`)]]
}

async function startLink({ dependencies, command, now }: Asking, t: ChatWords): Promise<Piece[][]> {
  const code = await newLinkCode(dependencies, command.user, now)
  return [[text(t('chat.openLink'))], [link(`${dependencies.config.baseUrl}${CHAT_LINK_PAGE}?code=${code}`)]]
}
