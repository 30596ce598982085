// Threat 9: words of others in our mails and on our pages.
import { requestCode } from '../client/src/main-node.ts'
import { type Attack, hold, holdEach, holdRefused, holdStatus, shown } from './attack.ts'
import { ask, consentPage, program, REDIRECT, register, registration } from './oauth-client.ts'
import { freshEmail, freshPassword } from './person.ts'
import { BUG } from './things.ts'

const WORDS = '9 words'

const names = [
  'Guildhall\nYour account is locked. Call +1 555 0100',
  'Guildhall\r\nBcc: all@example.com',
  'Monoagent\u2028Security team',
  'Mono\u202etnega',
  'Mono\u200bagent',
  'Mono\u2066agent\u2069',
  'Mono\u0000agent',
  'Mono\u001b[31magent',
  'Mono\ufeffagent',
  'Mono\u00adagent',
  'Mono\u{e0041}agent',
  'x'.repeat(61),
  `Your account is locked, ${'please call '.repeat(20)}`,
]

const isPlain = (name: string) => name.length <= 60 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)

/** Schemes that a browser or a system gives a meaning of its own, and addresses that are no place to send a code to. */
const redirects = [
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'blob:x',
    'file:///etc/passwd',
    'about:blank',
    'view-source:https://a.example/',
  ],
  ...[
    'mailto:a@example.com',
    'tel:1',
    'sms:1',
    'ws://a.example/',
    'wss://a.example/',
    'ftp://a.example/',
    'intent://a#Intent;end',
    'vbscript:x',
    'chrome://settings',
    'ms-settings:x',
    'search-ms:x',
    'resource://a',
    'filesystem:http://a/',
    'x-safari-https://a.example/',
    'itms-services://?action=download-manifest',
    'admin:///etc/passwd',
    'apt:anything',
    'snap://anything',
    'anything://callback',
  ],
  ...[
    'http://client.example/callback',
    'https://good.example@evil.example/',
    'https://a.example/#fragment',
    'https://a.example/\r\nSet-Cookie: a=b',
    'https://a.example/\u0000',
    ' https://a.example/',
    '//a.example/',
    '/callback',
    '',
    'https://',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
  ],
]

const kept = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'com.example.app:/oauth',
  'https://a.example/callback',
  'http://localhost:3118/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:9/callback',
]

export const words: Attack[] = [
  {
    name: 'the name of a client is one plain line',
    clause: WORDS,
    run: (target) =>
      holdEach(names, String, async (name) => {
        const reply = await registration(target, { client_name: name })
        if (reply.status === 201)
          hold(
            isPlain(String(reply.json()?.['client_name'] ?? '')),
            `kept as ${JSON.stringify(reply.json()?.['client_name'])}`,
          )
        else holdStatus(reply, [400], 'refused')
      }),
  },
  {
    name: 'a mail for an agent begins with our words and quotes the name',
    clause: WORDS,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const alice = await target.newcomer()
      const name = 'URGENT: your account is locked, see evil.example'
      const clientId = await register(target, { client_name: name })
      await requestCode({ ...program(target), email: alice.email, clientId, scope: 'community:read' })
      const mails = await target.mails(alice.email, ({ body }) => body.includes('URGENT'))
      const { body, subject } = mails.find((mail) => mail.body.includes('URGENT'))!
      hold(!subject.includes('URGENT'), `the name is the subject: ${subject}`)
      hold(/^.{0,2}(?!URGENT)/.test(body) && body.indexOf('URGENT') > 20, 'the mail begins with the name')
      hold(/["“”«»„'‘’]\s*URGENT/.test(body), `not quoted: ${body.slice(0, 160)}`)
      hold(!/https?:\/\/\S*evil/.test(body), 'the name is a link')
      return body.slice(0, 100).replace(/\n/g, ' ')
    },
  },
  {
    name: 'the name of an account does not speak in our mails',
    clause: WORDS,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const email = freshEmail('named')
      const name = 'Your account is locked. Call https://evil.example/'
      await target.anonymous().api.accounts.signUp({ name, email, password: freshPassword() })
      const mails = await target.mails(email)
      for (const { body, subject } of mails)
        hold(!`${subject}${body}`.includes('evil.example'), 'the name is in the mail')
      return `${mails.length} mails without it`
    },
  },
  {
    name: 'a title is one line that is read as it is written',
    clause: WORDS,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const titles = [
        'One\r\ntwo',
        'One\u2028two',
        'One\u0085two',
        'One\u202e two',
        'One\u2066 two\u2069',
        'One\u001b two',
      ]
      return holdEach(titles, String, async (title) => {
        const { id } = await alice.api.bugs.create({ ...BUG, title })
        const kept = await target.anonymous().api.bugs.get({ id })
        hold(kept.title === 'One two', `kept as ${JSON.stringify(kept.title)}`)
      })
    },
  },
  {
    name: 'headers of mails cannot be written through an address or a name',
    clause: WORDS,
    needs: ['newcomers'],
    run: (target) =>
      holdEach(
        [
          'a@example.com\r\nBcc: b@example.com',
          'a@example.com\nX: y',
          '"a\r\nBcc: b"@example.com',
          'a@example.com,b@example.com',
          'a@example.com b@example.com',
          '<a@example.com>',
          'a@[127.0.0.1]',
          '"; DROP"@example.com',
        ],
        String,
        async (email) => {
          const { accounts } = target.anonymous().api
          await holdRefused(accounts.sendCode({ email }), [400], 'sign-in')
          await holdRefused(accounts.signUp({ name: 'x', email, password: freshPassword() }), [400], 'sign-up')
        },
      ),
  },
  {
    name: 'HTML in a client name is text on the consent page, beside where it leads',
    clause: WORDS,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const clientId = await register(target, { client_name: '<img src=x onerror=alert(1)>"\'&amp;' })
      const page = await consentPage(alice, ask(target, { clientId }).path)
      const { text } = await alice.get(page.pathname + page.search)
      hold(!text.includes('<img src=x'), 'the name is markup')
      hold(text.includes(new URL(REDIRECT).host), 'the page does not name where it returns to')
      return 'escaped'
    },
  },
  {
    name: 'redirect addresses with a meaning of their own are refused, apps keep theirs',
    clause: '10 registration',
    async run(target) {
      await holdEach(redirects, String, async (redirect) =>
        holdStatus(await registration(target, { redirect_uris: [redirect] }), [400], 'registration'),
      )
      return holdEach(kept, String, async (redirect) =>
        holdStatus(await registration(target, { redirect_uris: [redirect] }), [201], 'an honest one'),
      )
    },
  },
  {
    name: 'metadata of a client is small, and its links are links',
    clause: '10 registration',
    run: (target) =>
      holdEach(
        [
          { client_name: 'x', contacts: Array.from({ length: 500 }, () => 'a@example.com') },
          { redirect_uris: Array.from({ length: 200 }, (_, n) => `https://a${n}.example/callback`) },
          { client_uri: `https://a.example/${'x'.repeat(5_000)}` },
          { software_statement: 'x'.repeat(5_000) },
          { policy_uri: 'javascript:alert(1)' },
          { logo_uri: 'javascript:alert(1)' },
          { client_uri: 'data:text/html,x' },
          { jwks_uri: 'http://169.254.169.254/' },
          { initiate_login_uri: 'javascript:alert(1)' },
          { post_logout_redirect_uris: ['javascript:alert(1)'] },
          { sector_identifier_uri: 'https://127.0.0.1/' },
        ],
        (metadata) => Object.keys(metadata).join(),
        async (metadata) => {
          const reply = await registration(target, metadata)
          hold(reply.status === 400 || reply.status === 413 || reply.status === 201, shown(reply))
          hold(reply.bytes.byteLength < 5_000, `${reply.bytes.byteLength} bytes are kept`)
          hold(!/javascript:|data:text|169\.254|127\.0\.0\.1/.test(reply.text) || reply.status !== 201, 'kept as it is')
        },
      ),
  },
]
