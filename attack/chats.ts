// The slash command of chats and webhooks in their form: forged and repeated requests, links of others, and templates that want more than names.
import { createHmac, randomBytes } from 'node:crypto'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'
import type { Target } from './target.ts'

const SLACK = '/api/chat/slack'
const FORM = 'application/x-www-form-urlencoded'
const COMMAND = 'team_id=T1&user_id=U1&user_name=eve&command=%2Fguildhall&text=bug+Forged+--+Text'

/** Off, or not believed. */
const SHUT = [401, 404]

const signedWith = (secret: string, time: string, body = COMMAND) =>
  `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`

/** Sends a command of a user as Slack itself would, once or as often as `times` says. */
async function commandOf(target: Target, { user, text, times = 1 }: { user: string; text: string; times?: number }) {
  const time = String(await target.seconds())
  const who = { team_id: 'T1', user_id: user, user_name: 'eve' }
  const fields = { ...who, command: '/guildhall', text, trigger_id: randomBytes(8).toString('hex') }
  const body = new URLSearchParams(fields).toString()
  const signature = signedWith(target.own.environment['SLACK_SIGNING_SECRET'] ?? '', time, body)
  const headers = { 'Content-Type': FORM, 'X-Slack-Request-Timestamp': time, 'X-Slack-Signature': signature }
  return Promise.all(Array.from({ length: times }, () => target.anonymous().post(SLACK, body, headers)))
}

/** The code of a link that a user of Slack asked for. */
async function codeFor(target: Target, user: string): Promise<string> {
  const [answer] = await commandOf(target, { user, text: 'link' })
  return /\?code=([\w-]+)/.exec(answer?.text ?? '')?.[1] ?? ''
}

export const chats: Attack[] = [
  {
    name: 'a command of a chat that the chat did not sign does nothing, of what its signature is made',
    clause: 'access',
    async run(target) {
      const time = String(await target.seconds())
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
    name: 'a command of a chat that is repeated counts once, and the link of another is neither used, taken over nor ended',
    clause: 'access',
    needs: ['newcomers', 'process'],
    async run(target) {
      const [person, other] = [await target.newcomer(), await target.newcomer()]
      const user = `U${Date.now()}`
      const code = await codeFor(target, user)
      const { id } = await person.api.chatLinks.confirm({ code })
      for (const who of [person, other]) await holdRefused(who.api.chatLinks.confirm({ code }), [404], 'a used code')
      const taken = other.api.chatLinks.confirm({ code: await codeFor(target, user) })
      await holdRefused(taken, [409], 'a link is taken over')
      await holdRefused(other.api.chatLinks.remove({ id }), [404], 'a link is ended by another')
      const title = `Repeated ${Date.now()}`
      const repeated = await commandOf(target, { user, text: `bug ${title} -- Text`, times: 8 })
      const statuses = repeated.map(({ status }) => status)
      hold(statuses.filter((status) => status === 200).length === 1, `repeats are answered with ${statuses}`)
      hold(
        statuses.every((status) => status === 200 || status === 401),
        `repeats are answered with ${statuses}`,
      )
      // Another user of the same workspace has no link.
      await commandOf(target, { user: `${user}x`, text: `bug ${title} -- Of another` })
      const filed = (await other.api.bugs.list({})).items.filter((bug) => bug.title === title)
      hold(filed.length === 1, `${filed.length} bugs of one command`)
      hold(filed[0]?.authorId === person.id, 'the bug is of another account')
      hold((await person.api.chatLinks.list({})).items.length === 1, 'the link is gone')
      return `${statuses.length} times one command, and 4 tries at a link`
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
