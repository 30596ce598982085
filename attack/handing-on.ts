// Token exchange (RFC 8693) and introspection (RFC 7662): more scope, more time or another owner by way of a helper; a token that outlives
// its grant; answers to those who may not ask.
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import { AGENT, register, signIn, token, works } from './oauth-client.ts'
import { FORM } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

const CLAUSE = 'tokens'
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TYPE = 'urn:ietf:params:oauth:token-type:access_token'

const handOn = (target: Target, subject: string, more: Record<string, string> = {}): Promise<Reply> =>
  token(target, {
    grant_type: GRANT,
    client_id: AGENT,
    subject_token: subject,
    subject_token_type: TYPE,
    ...more,
  })

async function handedOn(target: Target, subject: string, more: Record<string, string> = {}): Promise<string> {
  const reply = await handOn(target, subject, more)
  hold(reply.status === 200, `an honest request is refused: ${shown(reply)}`)
  hold(reply.json()?.['refresh_token'] === undefined, 'the helper gets a refresh token')
  return String(reply.json()?.['access_token'])
}

export const handingOn: Attack[] = [
  {
    name: 'a token that is handed on has no more than the one it is made from, and is handed on twice at most',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { access_token: own } = await signIn(target, person, {
        clientId: AGENT,
        scope: 'community:read library:read',
      })
      const first = await handedOn(target, own, { scope: 'community:read' })
      const wrong = ['library:write', 'community:read community:write', 'offline_access', 'library:read admin']
      await holdEach(
        wrong,
        (scope) => scope,
        async (scope) => holdStatus(await handOn(target, own, { scope }), [400], 'more scope'),
      )
      holdStatus(await handOn(target, first, { scope: 'library:read' }), [400], 'back to the scope of the agent')
      const second = await handedOn(target, first)
      holdStatus(await handOn(target, second), [400], 'a third time')
      const other = await register(target, { grant_types: ['authorization_code', GRANT] })
      holdStatus(await handOn(target, own, { client_id: other }), [400], 'by another client')
      return `${wrong.length} scopes, one client, two hands`
    },
  },
  {
    name: 'a token that is handed on ends with its grant, however often it was asked for at that moment',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const tokens = await signIn(target, person, { clientId: AGENT })
      const early = await handedOn(target, tokens.access_token)
      const revoke = { client_id: AGENT, token: tokens.refresh_token }
      const replies = await Promise.all([
        ...Array.from({ length: 6 }, () => handOn(target, tokens.access_token)),
        target.anonymous().form('/api/auth/oauth2/revoke', revoke),
        ...Array.from({ length: 6 }, () => handOn(target, tokens.access_token)),
      ])
      const late = replies.flatMap((reply) => String(reply.json()?.['access_token'] ?? '') || [])
      for (const one of [early, ...late]) hold(!(await works(target, one)), 'a helper goes on after the end')
      return `${late.length + 1} tokens ended`
    },
  },
  {
    name: 'introspection answers declared services alone',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { access_token } = await signIn(target, person, { clientId: AGENT })
      const ask = (headers: Record<string, string>, more: Record<string, string> = {}) =>
        target.anonymous().send({
          method: 'POST',
          path: '/api/auth/oauth2/introspect',
          headers: { ...FORM, ...headers },
          body: new URLSearchParams({ token: access_token, ...more }).toString(),
        })
      const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
      const tries = [
        {},
        basic(`${AGENT}:`),
        basic(':'),
        basic('reports:secret'),
        { Authorization: `Bearer ${access_token}` },
      ]
      for (const headers of tries) {
        const reply = await ask(headers)
        holdStatus(reply, [401, 404], 'an answer')
        hold(!reply.text.includes('active'), `it tells of a token: ${shown(reply)}`)
      }
      holdStatus(await ask({}, { client_id: AGENT, client_secret: '' }), [401, 404], 'an empty secret')
      return `${tries.length + 1} ways to ask`
    },
  },
]
