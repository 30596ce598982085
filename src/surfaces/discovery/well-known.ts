// What people and programs look for at fixed addresses: where vulnerabilities are reported, and where a password is changed.
import type { Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import { documentAnswer, mountReport, notFoundAnswer } from '../http/document.ts'
import type { Env } from '../http/pipeline.ts'

/** It is read again before: less than a year is recommended (RFC 9116, 2.5.5). */
const VALID_DAYS = 180
const DAY_MILLISECONDS = 86_400_000

/** The text of security.txt (RFC 9116); `now` in milliseconds. It changes once a day. */
export function securityText({ contact, baseUrl, now }: { contact: string; baseUrl: string; now: number }): string {
  const expires = new Date((Math.floor(now / DAY_MILLISECONDS) + VALID_DAYS) * DAY_MILLISECONDS)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace(/\.000Z$/, 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

const TEXT = 'text/plain; charset=utf-8'

export function mountWellKnown(app: Hono<Env>, config: Config, now: () => number): void {
  const { baseUrl } = config
  for (const path of ['/.well-known/security.txt', '/security.txt']) {
    mountReport(app, path, async (c) => {
      const { requestId } = c.env
      const { securityContact } = config.operator
      if (securityContact === undefined) return notFoundAnswer(requestId)
      const text = securityText({ contact: securityContact, baseUrl, now: now() })
      const answer = documentAnswer(requestId, { status: 200, contentType: TEXT, text })
      answer.headers.set('Cache-Control', 'public, max-age=3600')
      return answer
    })
  }
  // Password managers open it (W3C, A Well-Known URL for Changing Passwords).
  mountReport(app, '/.well-known/change-password', async (c) => {
    const answer = documentAnswer(c.env.requestId, { status: 303, contentType: TEXT, text: null })
    answer.headers.set('Location', `${baseUrl}/settings/security`)
    return answer
  })
}
