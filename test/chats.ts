// Requests of Slack and Discord as they are sent, signed by what their documentation describes and not by the server's own code.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { World } from './world.ts'

export const SLACK_SECRET = '8f742231b10e8888abcd99yyyzzz85a5'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
export const DISCORD_KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')

export const CHAT_SETTINGS = { SLACK_SIGNING_SECRET: SLACK_SECRET, DISCORD_PUBLIC_KEY: DISCORD_KEY }

const secondsOf = ({ clock }: World, seconds: number) => String(Math.floor(clock.now() / 1_000) + seconds)

interface Sent {
  path: string
  headers: Record<string, string>
  body: string
}

/** What Slack sends; `more` are fields of the form. */
export function slackRequest(world: World, text: string, more: Record<string, string> = {}, age = 0): Sent {
  const who = { team_id: 'T0001', team_domain: 'acme', user_id: 'U2147483697', user_name: 'mira' }
  const body = new URLSearchParams({ ...who, command: '/guildhall', text, ...more }).toString()
  return slackSent(body, secondsOf(world, -age))
}

export function slackSent(body: string, timestamp: string, secret = SLACK_SECRET): Sent {
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  return {
    path: '/api/chat/slack',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Slack-Request-Timestamp': timestamp,
      'X-Slack-Signature': signature,
    },
    body,
  }
}

export function discordSent(value: unknown, timestamp: string): Sent {
  const body = JSON.stringify(value)
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex')
  return {
    path: '/api/chat/discord',
    headers: {
      'Content-Type': 'application/json',
      'X-Signature-Timestamp': timestamp,
      'X-Signature-Ed25519': signature,
    },
    body,
  }
}

/** What Discord sends for a command of a member of a server. */
export function discordRequest(
  world: World,
  verb: string,
  given: Record<string, string> = {},
  { age = 0, user = '80351110224678912', locale = 'en-US' } = {},
): Sent {
  const options = [
    { name: verb, type: 1, options: Object.entries(given).map(([name, value]) => ({ name, type: 3, value })) },
  ]
  const member = { user: { id: user, username: 'nelly' } }
  // As every interaction, it has an id of its own.
  const interaction = { id: crypto.randomUUID(), type: 2, locale, member, data: { name: 'guildhall', options } }
  return discordSent(interaction, secondsOf(world, -age))
}

export const post = ({ anonymous }: World, { path, headers, body }: Sent): Promise<Response> =>
  Promise.resolve(anonymous.request(path, { method: 'POST', headers, body }))

/** The text of an answer that the one who asked sees alone. */
export async function saidTo(world: World, sent: Sent): Promise<string> {
  const response = await post(world, sent)
  const answer = (await response.json()) as {
    response_type?: string
    blocks?: { elements: { elements: { text?: string; url?: string }[] }[] }[]
    type?: number
    data?: { content: string; flags: number; allowed_mentions: object }
  }
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
  if (sent.path.endsWith('slack')) {
    if (answer.response_type !== 'ephemeral') throw new Error('Everybody sees it')
    return (answer.blocks?.[0]?.elements[0]?.elements ?? []).map(({ text, url }) => url ?? text).join('')
  }
  if (answer.type !== 4 || answer.data?.flags !== 64) throw new Error('Everybody sees it')
  return answer.data.content.replace(/\\([^0-9A-Za-z\s])/g, '$1').replace(/<(http[^>]+)>/g, '$1')
}

/** The code of an address that a chat showed. */
export const codeIn = (said: string): string => /\?code=([\w-]+)/.exec(said)?.[1] ?? ''
