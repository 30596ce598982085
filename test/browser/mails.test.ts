// Mails as a mail program shows them: nothing for axe to find, nothing loaded, narrow or wide, light or dark.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { noticeLetter } from '../../src/content/notifications/letters.ts'
import { claimLetter, codeLetter } from '../../src/identity/mails.ts'
import { htmlOf } from '../../src/mail/html.ts'
import { mailWords } from '../../src/mail/words.ts'
import { skip, withBrowser } from './chromium.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
const baseUrl = 'https://guild.example'

const told = {
  kind: 'comment',
  number: 12,
  title: 'The digest is late on Mondays',
  url: '/community/bugs/12#comment-3',
  excerpt: 'It came at nine here as well.\n\nהכל מאחר',
  detail: null,
  actorUsername: 'mira',
} as const
const unsubscribeUrl = `${baseUrl}/unsubscribe?token=daily.0b54f6f2-2f4a-4c5e-9d39-2f3a8f0f7f11.Zk3v9nA`

const mails = {
  code: codeLetter('sign-in', '042137'),
  claim: claimLetter('042137', 'Night desk', 'community:read library:read'),
  reply: noticeLetter({ ...{ mailing: 'mail', told: [told], total: 1, replyTo: 'a' }, baseUrl, unsubscribeUrl }),
  digest: noticeLetter({
    mailing: 'daily',
    told: [told, { ...told, kind: 'mention' }],
    total: 5,
    baseUrl,
    unsubscribeUrl,
  }),
}

const forms = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'dark', width: 320 },
] as const

describe('mails', { skip }, () => {
  for (const { colorScheme, width } of forms) {
    it(`are read in ${colorScheme}, ${width} px wide`, async () => {
      mkdirSync(FOLDER, { recursive: true })
      await withBrowser(async (browser) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
        const page = await context.newPage()
        const asked: string[] = []
        page.on('request', (request) => asked.push(request.url()))
        for (const [name, { write }] of Object.entries(mails)) {
          const { subject, body: text } = write(mailWords('de', { name: 'Guildhall' }))
          await page.setContent(htmlOf({ subject, text, baseUrl, name: 'Guildhall', language: 'de' }))
          await page.screenshot({ path: join(FOLDER, `mail-${name}-${colorScheme}-${width}.png`) })
          // A mail is no page: it has no landmarks.
          const axe = new AxeBuilder({ page }).setLegacyMode().disableRules(['region', 'landmark-one-main'])
          const { violations } = await axe.analyze()
          assert.deepEqual(
            violations.map(({ id }) => id),
            [],
            name,
          )
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, name)
        }
        assert.deepEqual(asked, [])
      })
    })
  }
})
