// Secrets, by the rules of secretlint. A finding has the kind of the secret and its first letters, never the secret.
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { personalTokensIn } from '../../identity/personal-token.ts'
import type { Found } from './rules.ts'
import type { TextView } from './text-view.ts'

const SHOWN_LETTERS = 4
/** Of a shorter secret the letters would be too much of it. */
const LONG_ENOUGH = 16
const LONGEST_KIND = 80

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] }

export async function findSecrets(view: TextView, found: Found): Promise<void> {
  const source = { filePath: '/text', ext: '', content: view.text, contentType: 'text' as const }
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } })
  for (const { range, message, messageId } of [...messages, ...ownTokens(view)]) {
    const secret = view.text.slice(range[0], range[1])
    const kind = kindOf(message, { secret, otherwise: messageId })
    const part = secret.length >= LONG_ENOUGH && /^[\w-]{4}/.test(secret) ? ` (${secret.slice(0, SHOWN_LETTERS)}…)` : ''
    found.add({
      rule: 'secret',
      severity: messageId === 'BasicAuth' ? 'suspicious' : 'severe',
      path: view.path,
      line: view.placeOf(range[0]).line,
      reason: `a secret: ${kind}${part}`,
    })
  }
}

/** Personal access tokens of Guildhall itself, in the form of secretlint's findings. */
const ownTokens = ({ text }: TextView) =>
  personalTokensIn(text).map((range) => ({
    range,
    message: 'Guildhall personal access token',
    messageId: 'GuildhallPersonalToken',
  }))

/** `found GitHub Token(...): ghp_...` becomes `GitHub Token(...)`. */
function kindOf(message: string, { secret, otherwise }: { secret: string; otherwise: string }): string {
  const [words = ''] = message.replace(/^found /i, '').split(/: |\n/)
  const isSafe = words.length <= LONGEST_KIND && !(secret.length > 0 && words.includes(secret))
  return isSafe ? words : otherwise.slice(0, LONGEST_KIND)
}
