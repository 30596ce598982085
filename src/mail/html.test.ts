// The HTML part of a mail: the same words as its text, and nothing of others that acts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paletteOf } from '../config/colors.ts'
import { noticeLetter } from '../content/notifications/letters.ts'
import { claimLetter, codeLetter, takeOverMail } from '../identity/mails.ts'
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
    const removed = {
      password: true,
      passkeys: 2,
      external: 0,
      programs: 0,
      sessions: 1,
      apps: 0,
      webhooks: 1,
      keys: 1,
    }
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

  it('has its subject as the heading, once', () => {
    const page = written('Hello\n> Words\n\nHello\n')
    assert.match(page, /<h1 dir="auto" style="[^"]*">Hello<\/h1>/)
    assert.equal(shown(page).match(/Hello/g)!.length, 2)
    const other = htmlOf({ subject: '<b>"A"</b>', text: 'Hello', baseUrl, name: 'Guildhall' })
    assert.match(other, /<h1 [^>]*>&lt;b&gt;&quot;A&quot;&lt;\/b&gt;<\/h1>/)
  })

  const buttonsOf = (page: string) =>
    [...page.matchAll(/<a class="button" href="([^"]*)" style="[^"]*">([^<]*)<\/a>/g)].map(([, ...found]) => found)

  it('makes a button of the one address that stands alone', () => {
    const url = `${baseUrl}/bugs/1`
    assert.deepEqual(buttonsOf(written(`bob commented\n${url}\n\nSee ${baseUrl}/x too`)), [
      [url, 'Open on guild.example'],
    ])
    assert.deepEqual(buttonsOf(written(`Download: ${url}\n\nThen ${baseUrl}/x`)), [[url, 'Download']])
    assert.deepEqual(buttonsOf(written(`a\n${url}\n\nb\n${url}2`)), [])
    assert.deepEqual(buttonsOf(written(`A: ${url}\n\nB: ${url}2`)), [])
    assert.deepEqual(buttonsOf(written(`A: ${url}\nB: ${url}2`)), [])
    assert.deepEqual(buttonsOf(written('https://evil.example/')), [])
    assert.deepEqual(buttonsOf(written(`> ${url}`)), [])
  })

  it('has the colours of the site on a button, in the light and in the dark', () => {
    const plain = written(`A: ${baseUrl}/bugs/1`)
    assert.match(plain, /class="button" [^>]*border-color:#8f4a1b;background:#8f4a1b;color:#ffffff"/)
    assert.match(plain, /\.button \{ border-color: #e2a06f !important; background: #e2a06f !important; color: #1a120c/)
    const own = htmlOf({ subject: 'Hello', text: `A: ${baseUrl}/1`, baseUrl, name: 'Acme', accent: '#2b6cb0' })
    assert.ok(own.includes(`background:${paletteOf({ accent: '#2b6cb0' }, 'light').accent};color:#ffffff`))
  })

  it('makes links of the titles in a digest, and one button for all', () => {
    const told = { kind: 'comment', excerpt: 'Yes', detail: null, actorUsername: 'bob' } as const
    const about = (number: number, title: string) => ({ ...told, number, title, url: `/bugs/${number}` })
    for (const language of ['en', 'de'] as const) {
      const letter = noticeLetter({
        ...{ mailing: 'daily', total: 2, baseUrl, unsubscribeUrl: `${baseUrl}/unsubscribe?token=a` },
        told: [about(1, 'Crash: <b>"now"</b>'), about(2, 'A (#7)')],
      })
      const { subject, body: text } = letter.write(mailWords(language, { name: 'Guildhall' }))
      const page = htmlOf({ subject, text, baseUrl, name: 'Guildhall', language })
      const links = [...page.matchAll(/<a href="([^"]*\/bugs\/\d)" style="[^"]*">([^<]*)<\/a>/g)]
      assert.deepEqual(
        links.map(([, ...found]) => found),
        [
          [`${baseUrl}/bugs/1`, 'Crash: &lt;b&gt;&#39;now&#39;&lt;/b&gt;'],
          [`${baseUrl}/bugs/2`, 'A (#7)'],
        ],
      )
      assert.deepEqual(
        buttonsOf(page).map(([url]) => url),
        [`${baseUrl}/notifications`],
      )
      assert.ok(text.includes(`\n${baseUrl}/bugs/1\n`))
    }
  })

  it('says what an app may do in the words of the consent page', () => {
    const { body } = claimLetter('042137', 'Desk', 'library:read offline_access').write(mailWords('en', { name: 'G' }))
    assert.match(
      body,
      /able to:\n\n- See your private library items, and download\n- Keep access until you revoke it\n\n/,
    )
    assert.doesNotMatch(body, /library:read|offline_access/)
    assert.match(written(body), /<ul [^>]*><li>See your private library items, and download<\/li><li>Keep access/)
  })

  it('has the line above which it is answered above all else', () => {
    const page = written('--- Write your reply above this line ---\n\nbob commented')
    assert.ok(page.indexOf('class="above"') < page.indexOf('class="card"'))
    assert.equal(page.match(/Write your reply/g)!.length, 1)
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
    assert.equal(preview('--- Write your reply above this line ---\n\nbob commented'), 'bob commented')
    assert.equal(preview('x'.repeat(120)), 'x'.repeat(120))
    assert.equal(preview('x'.repeat(121)), 'x'.repeat(120))
  })
})
