// Token exchange (RFC 8693) and introspection (RFC 7662): more scope, more time or another owner by way of a helper; a token that outlives
// its grant; answers to those who may not ask.
import { type Attack, atOnce, hold, holdEach, holdRefused, holdStatus, shown } from './attack.ts'
import { AGENT, handedOn, register, revoke, signIn, works } from './oauth-client.ts'

const CLAUSE = 'tokens'
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const handingOn: Attack[] = [
  {
    name: 'a token that is handed on has no scope beyond the one it is made from, and is of its client',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { accessToken: own } = await signIn(target, person, { scope: 'community:read library:read' })
      const first = await handedOn(target, own, { scope: 'community:read' })
      const wrong = ['library:write', 'community:read community:write', 'offline_access', 'library:read admin']
      await holdEach(wrong, String, (scope) => holdRefused(handedOn(target, own, { scope }), [400], 'more scope'))
      await holdRefused(handedOn(target, first, { scope: 'library:read' }), [400], 'back to the scope of the agent')
      const clientId = await register(target, { grant_types: ['authorization_code', GRANT] })
      await holdRefused(handedOn(target, own, { clientId }), [400], 'by another client')
      return `${wrong.length} scopes, one client`
    },
  },
  {
    name: 'a token that is handed on ends with its grant, however often it was asked for at that moment',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const tokens = await signIn(target, person)
      const early = await handedOn(target, tokens.accessToken)
      const helpers = () => atOnce(6, () => handedOn(target, tokens.accessToken))
      const [before, , after] = await Promise.all([helpers(), revoke(target, tokens), helpers()])
      const late = [...before.answers, ...after.answers]
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
      const { accessToken } = await signIn(target, person)
      const ask = (headers: Record<string, string>, more: Record<string, string> = {}) =>
        target.anonymous().form('/api/auth/oauth2/introspect', { token: accessToken, ...more }, headers)
      const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
      const tries = [
        {},
        basic(`${AGENT}:`),
        basic(':'),
        basic('reports:secret'),
        { Authorization: `Bearer ${accessToken}` },
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
