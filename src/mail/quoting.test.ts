// Letters to members say who speaks: words of others stand between quotation marks or behind `> `, in text and in HTML.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Detail, type LetterEntry, noticeLetter } from '../content/notifications/letters.ts'
import { disabledLetter } from '../content/webhooks/sending.ts'
import type { AnyNotificationKind } from '../contract/kinds.ts'
import { claimLetter, deletionMail, personalTokenMail, reuseMail } from '../identity/mails.ts'
import { htmlOf } from './html.ts'
import { type Letter, mailWords } from './words.ts'

const baseUrl = 'https://guild.example'
const BREAKS = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f']
const LIE = 'Your account is locked.'

const told = (kind: AnyNotificationKind, words: string, detail: Detail = {}): LetterEntry => ({
  ...{ kind, number: 7, title: words, url: '/community/7', excerpt: words, detail: JSON.stringify(detail) },
  actorUsername: 'bob',
})

const notice = (...all: LetterEntry[]) =>
  noticeLetter({ mailing: 'mail', told: all, total: all.length, baseUrl, unsubscribeUrl: `${baseUrl}/unsubscribe` })

/** Every letter that has words of others, with these. */
const lettersOf = (words: string): Record<string, Letter> => ({
  mention: notice(told('mention', words)),
  notice: notice(told('notice', words)),
  approval: notice(told('approval', words, { agent: words, operation: 'bugs.create' })),
  merged: notice(told('status', words, { merged: { number: 8, title: words } })),
  unmerged: notice(told('status', words, { unmerged: { number: 8, title: words } })),
  digest: notice(told('comment', words), told('posted', words)),
  claim: claimLetter('123456', words, 'community:read'),
  token: personalTokenMail(baseUrl, { name: words, scope: 'community:read', expiresAt: '2026-12-01T00:00:00.000Z' }),
  reuse: reuseMail(baseUrl, { name: words, network: '192.0.2.0/24', device: null, now: '2026-12-01T00:00:00.000Z' }),
  deletion: deletionMail(baseUrl, {
    content: 'delete',
    eraseAt: '2026-12-01T00:00:00.000Z',
    reason: words,
    byAdmin: true,
  }),
  webhook: disabledLetter({ baseUrl, path: '/settings', url: `https://a.example/${words}`, reason: 'gone' }),
})

/** The text outside of quotations, and the lines that a reader of the text sees. */
const ownWords = (body: string) =>
  body
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .filter((line) => !line.startsWith('> '))
    .map((line) => line.replace(/["„][^"“”]*["“]/g, ''))
    .join('\n')

describe('a letter with words of others', () => {
  for (const language of ['en', 'de'] as const) {
    it(`has them within quotations alone, in ${language}`, () => {
      for (const end of [...BREAKS, '" ', '\u201c ', '\u201d ', '\u202e" ']) {
        for (const [name, { write }] of Object.entries(lettersOf(`Hello${end}${LIE}`))) {
          const { subject, body } = write(mailWords(language, { name: 'Guildhall' }))
          const where = `${name} with ${JSON.stringify(end)}: ${JSON.stringify(body)}`
          assert.ok(body.includes(LIE), where)
          assert.ok(!ownWords(`${subject}\n${body}`).includes(LIE), where)
          const page = htmlOf({ subject, text: body, baseUrl, name: 'Guildhall', language })
          const own = page
            .replace(/<blockquote[\s\S]*?<\/blockquote>/g, '')
            .replace(/(?:&quot;|„)(?:(?!&quot;|“|<\/div>)[\s\S])*(?:&quot;|“|<\/div>)/g, '')
          const preview = own.replace(/<title>[^<]*<\/title>/, '')
          assert.ok(!preview.includes(LIE), `${where}\n${page}`)
        }
      }
    })
  }
})
