// Secrets, by the rules of secretlint. A finding has the kind of the secret and its first letters, never the secret.
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { clientSecretsIn, personalTokensIn } from '../../identity/checked-secret.ts'
import type { Findings } from './rules.ts'
import type { TextView } from './text-view.ts'
import { type RuleTimes, type Window, windowsOf } from './windows.ts'

const SHOWN_LETTERS = 4
/** Of a shorter secret the letters would be too much of it. */
const LONG_ENOUGH = 16
const LONGEST_KIND = 80

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] }

/** A private key may have 10,000 letters. */
const SIZES = { size: 131_072, more: 12_000 }

/** Comments by which its users turn secretlint off: it is not for the file to say. */
const SWITCH = /secretlint-(?=disable|enable)/gi

/** Gives whether it came to the end. */
export function findSecrets(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  return times.through('secret', windowsOf(view.text, SIZES), (window) => findInWindow(view, found, window))
}

async function findInWindow(view: TextView, found: Findings, { text, from, end }: Window): Promise<void> {
  const content = text.replace(SWITCH, 'secretlint_')
  const source = { filePath: '/text', ext: '', content, contentType: 'text' as const }
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } })
  for (const { range, message, messageId } of [...messages, ...ownSecrets(text), ...privateKeys(text, messages)]) {
    if (range[0] >= end) continue
    const secret = text.slice(range[0], range[1])
    const kind = kindOf(message, { secret, otherwise: messageId })
    const part = secret.length >= LONG_ENOUGH && /^[\w-]{4}/.test(secret) ? ` (${secret.slice(0, SHOWN_LETTERS)}…)` : ''
    found.add({
      rule: 'secret',
      severity: messageId === 'BasicAuth' ? 'suspicious' : 'severe',
      path: view.path,
      line: view.placeOf(from + range[0]).line,
      reason: `a secret: ${kind}${part}`,
    })
  }
}

interface Message {
  range: readonly [number, number]
  message: string
  messageId: string
}

/** What Guildhall itself makes, in the form of secretlint's findings. */
const ownSecrets = (text: string): Message[] => [
  ...personalTokensIn(text).map((range) => ({
    range,
    message: 'Guildhall personal access token',
    messageId: 'GuildhallPersonalToken',
  })),
  ...clientSecretsIn(text).map((range) => ({
    range,
    message: 'Guildhall secret of an app',
    messageId: 'GuildhallClientSecret',
  })),
]

/** Keys of any kind and length; secretlint finds long ones alone, and Ed25519 and EC keys are short. Between lines there may be code that joins them. */
const KEY =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'`+,]){0,80}(?<body>(?:[A-Za-z0-9+/]{8,100}=*(?:\\[nr]|[\s"'`+,]){0,80}){1,40})/g
/** Of base64 without headers: 16 bytes are no key yet. */
const SHORTEST_KEY = 40
/** An example has few different letters. */
const LEAST_LETTERS = 14

function privateKeys(text: string, known: readonly Message[]): Message[] {
  return [...text.matchAll(KEY)].flatMap(({ 0: whole, index, groups }) => {
    const letters = (groups?.['body'] ?? '').replace(/\\[nr]|[^A-Za-z0-9+/]/g, '')
    const isExample = letters.length < SHORTEST_KEY || new Set(letters).size < LEAST_LETTERS
    if (isExample || known.some(({ range }) => range[0] < index + whole.length && index < range[1])) return []
    return [{ range: [index, index + whole.length] as const, message: 'Private Key', messageId: 'PrivateKey' }]
  })
}

/** `found GitHub Token(...): ghp_...` becomes `GitHub Token(...)`. */
function kindOf(message: string, { secret, otherwise }: { secret: string; otherwise: string }): string {
  const [words = ''] = message.replace(/^found /i, '').split(/: |\n/)
  const isSafe = words.length <= LONGEST_KIND && !(secret.length > 0 && words.includes(secret))
  return isSafe ? words : otherwise.slice(0, LONGEST_KIND)
}
