// What a request of a chat asks for, in the form of its service, and the answer in that form: shown to the one who asked alone.
import { z } from 'zod'
import type { ChatService, ChatUser } from '../../contract/own-clients.ts'
import { oneLine } from '../../contract/storable.ts'
import { messages, type Piece } from '../../formats/chat.ts'
import { objectIn } from '../../runtime/json.ts'

/** A command as a person gave it. */
export interface Command {
  user: ChatUser & { name: string }
  verb: string
  /** Of `search` the words, of `bug` the title. */
  words: string
  /** Of `bug`. */
  text: string
  /** As `Accept-Language`, where the chat says one. */
  language: string | null
}

/** `check`: the service looks whether the address is there. */
export type CommandOrCheck = Command | 'check'

const ChatId = z.string().regex(/^[\w-]{1,64}$/)
const SlackForm = z.object({
  team_id: ChatId,
  user_id: ChatId,
  user_name: z.string().max(200).default(''),
  team_domain: z.string().max(200).default(''),
  text: z.string().max(20_000).default(''),
})

/** Phones write a dash for two hyphens. */
const DASHES = /\s(?:--|—|–)\s/

/** A title and a text: cut once, at two hyphens, or else at the first dash. */
function inTwo(said: string): { words: string; text: string } {
  const found = /\s--\s/.exec(said) ?? DASHES.exec(said)
  if (!found) return { words: said, text: '' }
  return { words: said.slice(0, found.index), text: said.slice(found.index + found[0].length) }
}

/** Undefined where it is no command. */
function askedOfSlack(body: string): CommandOrCheck | undefined {
  const form = Object.fromEntries(new URLSearchParams(body))
  if (form.ssl_check === '1') return 'check'
  const { data } = SlackForm.safeParse(form)
  if (!data) return undefined
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(data.text.trim()) ?? []
  const { words, text } = verb === 'bug' ? inTwo(rest) : { words: rest, text: '' }
  const name = oneLine([data.user_name, data.team_domain].filter(Boolean).join(', '))
  const user = { service: 'slack', workspace: data.team_id, user: data.user_id, name } as const
  return { user, verb, words: words.trim(), text: text.trim(), language: null }
}

const Sender = z.object({ id: ChatId, username: z.string().max(200).default('') })
const Option = z.object({ name: z.string(), value: z.unknown().optional() })
const Interaction = z.object({
  type: z.int(),
  locale: z.string().max(20).optional(),
  user: Sender.optional(),
  member: z.object({ user: Sender }).optional(),
  data: z.object({ options: z.array(Option.extend({ options: z.array(Option).optional() })).optional() }).optional(),
})
const PING = 1
const COMMAND = 2

function askedOfDiscord(body: string): CommandOrCheck | undefined {
  const { data } = Interaction.safeParse(objectIn(body))
  if (data?.type === PING) return 'check'
  const sender = data?.member?.user ?? data?.user
  if (data?.type !== COMMAND || !sender) return undefined
  const [chosen] = data.data?.options ?? []
  const given = (name: string) => {
    const value = chosen?.options?.find((option) => option.name === name)?.value
    return typeof value === 'string' ? value.slice(0, 20_000).toWellFormed().trim() : ''
  }
  const user = { service: 'discord', workspace: '', user: sender.id, name: oneLine(sender.username) } as const
  const verb = chosen?.name ?? ''
  return {
    user,
    verb,
    words: given(verb === 'bug' ? 'title' : 'words'),
    text: given('text'),
    language: data.locale ?? null,
  }
}

export const askedIn: Readonly<Record<ChatService, (body: string) => CommandOrCheck | undefined>> = {
  slack: askedOfSlack,
  discord: askedOfDiscord,
}

const EPHEMERAL = 64

/** The lines as an answer to the one who asked. */
export const answers = {
  slack: (lines: readonly Piece[][]) => ({ response_type: 'ephemeral' as const, ...messages.slack(lines) }),
  discord: (lines: readonly Piece[][]) => ({
    type: 4 as const,
    data: { ...messages.discord(lines), flags: EPHEMERAL },
  }),
}

/** To a check: Discord wants its PING back, Slack any 200. */
export const checked = { slack: {}, discord: { type: 1 as const } }
