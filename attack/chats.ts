// The slash command of chats and webhooks in their form: forged and repeated requests, links of others, and templates that want more than names.
import { createHmac, randomBytes } from 'node:crypto'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'

const SLACK = '/api/chat/slack'
const FORM = 'application/x-www-form-urlencoded'
const COMMAND = 'team_id=T1&user_id=U1&user_name=eve&command=%2Fguildhall&text=bug+Forged+--+Text'

/** Off, or not believed. */
const SHUT = [401, 404]

const signedWith = (secret: string, time: string) =>
  `v0=${createHmac('sha256', secret).update(`v0:${time}:${COMMAND}`).digest('hex')}`

export const chats: Attack[] = [
  {
    name: 'a command of a chat that the chat did not sign does nothing, of what its signature is made',
    clause: 'access',
    async run(target) {
      const time = String(Math.floor(Date.now() / 1_000))
      const secrets = ['', 'null', 'undefined', 'secret', 'SLACK_SIGNING_SECRET', '0'.repeat(32)]
      const signatures = [
        ...secrets.map((secret) => signedWith(secret, time)),
        'v0=',
        'v0',
        '',
        'v1=00',
        '0'.repeat(128),
      ]
      const times = [time, String(Number(time) - 301), '-1', '0', '1e99', 'NaN', '']
      await holdEach(signatures, String, async (signature) => {
        for (const stamp of times) {
          const slack = { 'Content-Type': FORM, 'X-Slack-Request-Timestamp': stamp, 'X-Slack-Signature': signature }
          holdStatus(await target.anonymous().post(SLACK, COMMAND, slack), SHUT, 'a command of Slack')
          const discord = { 'X-Signature-Timestamp': stamp, 'X-Signature-Ed25519': signature }
          const ping = await target.anonymous().post('/api/chat/discord', { type: 1 }, discord)
          holdStatus(ping, SHUT, 'a PING of Discord')
        }
      })
      return `${signatures.length * times.length} signatures`
    },
  },
  {
    name: 'a link of a chat is confirmed by a session alone, with a code that the server sealed',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const [person, other] = [await target.newcomer(), await target.newcomer()]
      const { accessToken } = await signIn(target, person, { scope: 'community:read community:write' })
      const agent = bearer(target, accessToken)
      const plain = JSON.stringify({ service: 'slack', workspace: 'T1', user: 'U1', name: 'x', expiresAt: '2999' })
      const codes = ['x', Buffer.from(plain).toString('base64url'), randomBytes(200).toString('base64url'), plain]
      for (const code of codes) {
        await holdRefused(person.api.chatLinks.confirm({ code }), [404], 'a code of their own')
        await holdRefused(person.api.chatLinks.look({ code }), [404], 'a look at it')
        await holdRefused(agent.api.chatLinks.confirm({ code }), [401, 403], 'an agent')
      }
      await holdRefused(other.api.chatLinks.remove({ id: person.id }), [404], 'a link of another')
      hold((await person.api.chatLinks.list({})).items.length === 0, 'a link was made')
      return `${codes.length} codes`
    },
  },
  {
    name: 'a template of a webhook names what there is, and runs nothing',
    clause: 'input',
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const templates = ['{constructor}', '{__proto__}', '{title.constructor}', '{process.env}', '{secret}', '{ title}']
      await holdEach(templates, String, async (template) => {
        const asked = person.api.itemWebhooks.preview({ format: 'slack', template })
        await holdRefused(asked, [400], 'another name')
      })
      const template = '<%= 7*7 %> #7*7 @everyone'
      const { body } = await person.api.itemWebhooks.preview({ format: 'discord', template })
      hold(!body.includes('49') && body.includes('"allowed_mentions":{"parse":[]}'), 'a template is code, or pings')
      await holdRefused(person.api.webhooks.preview({}), [403], 'the preview of admins')
      return `${templates.length + 1} templates`
    },
  },
]
