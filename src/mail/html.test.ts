// The HTML part of a mail: the same words as its text, and nothing of others that acts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paletteOf } from '../config/colors.ts'
import { codeLetter, takeOverMail } from '../identity/mails.ts'
import { htmlOf } from './html.ts'
import { mailWords } from './words.ts'

const baseUrl = 'https://guild.example'
const written = (text: string) => htmlOf({ subject: 'Hello', text, baseUrl, name: 'Guildhall' })

/** What a reader sees, without markup and without the preview. */
const shown = (page: string) =>
  page
    .slice(page.indexOf('class="card"'))
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")

describe('the HTML part of a mail', () => {
  it('has all words of the text', () => {
    const removed = { password: true, passkeys: 2, external: 0, sessions: 1, apps: 0, webhooks: 1, keys: 1 }
    for (const letter of [codeLetter('sign-in', '042137'), takeOverMail(baseUrl, removed)]) {
      const { body } = letter.write(mailWords('en', { name: 'Guildhall' }))
      const seen = shown(written(body))
      for (const line of body.split('\n')) assert.ok(seen.includes(line.replace(/^- /, '')), `${line}\n\n${seen}`)
    }
  })

  it('shows a code alone, and only a line that is six digits', () => {
    assert.match(written('Enter this code:\n\n042137\n\nBye\n'), /<p class="code" [^>]*>042137<\/p>/)
    for (const other of ['04213', '0421371', '042137 ', 'x042137']) {
      assert.doesNotMatch(written(`Enter this code:\n\n${other}\n\nBye\n`), /class="code"/, other)
    }
  })

  it('has the accent and the logo of the server', () => {
    const plain = written(`See ${baseUrl}/bugs/1`)
    assert.match(plain, /<p class="name" style="[^"]*color:#8f4a1b">Guildhall<\/p>/)
    const own = { subject: 'Hello', text: `See ${baseUrl}/bugs/1`, baseUrl, name: 'Acme', accent: '#2b6cb0' }
    const page = htmlOf({ ...own, logo: 'cid:logo' })
    const { accent } = paletteOf({ accent: '#2b6cb0' }, 'light')
    assert.ok(page.includes(`<a href="${baseUrl}/bugs/1" style="color:${accent}">`))
    assert.match(page, /<img src="cid:logo" alt="" height="28" style="[^"]*">Acme<\/p>/)
    assert.doesNotMatch(page, /#8f4a1b|#e2a06f/)
  })

  it('makes links of addresses of this server, and of no others', () => {
    const page = written(`See ${baseUrl}/bugs/1. Or (${baseUrl}/x?a=1&b=2), or https://evil.example/${baseUrl}evil`)
    const links = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
    assert.deepEqual(links, [`${baseUrl}/bugs/1`, `${baseUrl}/x?a=1&amp;b=2`, baseUrl, baseUrl])
  })

  it('shows the label of an address instead of it', () => {
    const page = written(
      `Stop these mails: ${baseUrl}/unsubscribe?token=a\n${baseUrl}/bugs/1\nBuy: https://evil.example/`,
    )
    assert.match(page, /<a href="https:\/\/guild.example\/unsubscribe\?token=a" [^>]*>Stop these mails<\/a>/)
    assert.match(page, /<a href="https:\/\/guild.example\/bugs\/1" [^>]*>Open on guild.example<\/a>/)
    assert.match(page, /<br>Buy: https:\/\/evil.example\/<\/p>/)
  })

  it('keeps markup of others as text', () => {
    const bad = '<img src=x onerror=alert(1)> "quoted" <a href="https://evil.example">here</a>'
    const page = written(`bob commented: "${bad}"\n> ${bad}\n> \n> second\n${baseUrl}/bugs/1\n`)
    assert.doesNotMatch(page, /<img|<a href="https:\/\/evil/)
    assert.match(page, /<blockquote [^>]*>&lt;img src=x onerror=alert\(1\)&gt;.*<br><br>second<\/blockquote>/)
  })

  it('begins with a preview of at most 120 characters, without words of others', () => {
    const preview = (text: string) => /<div style="display:none[^>]*>([^<]*)<\/div>/.exec(written(text))![1]
    assert.equal(preview('bob commented: "A"\n> Buy this\nEnd\n\nStop'), 'bob commented: &quot;A&quot; End Stop')
    assert.equal(preview('x'.repeat(120)), 'x'.repeat(120))
    assert.equal(preview('x'.repeat(121)), 'x'.repeat(120))
  })
})
