// The flows of the authorization server: codes, refresh tokens and requests that are replayed, changed or made for others.
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import {
  AGENT,
  AGENT_REDIRECT,
  codeFor,
  consentPage,
  exchangeForm,
  query,
  refresh,
  register,
  revoke,
  signIn,
  token,
  works,
} from './oauth-client.ts'
import { pkce } from './person.ts'

const OAUTH = 'oauth'

export const grants: Attack[] = [
  {
    name: 'an old refresh token ends its sign-in after the retry window, and the same request gets the same answer within it',
    clause: OAUTH,
    needs: ['newcomers', 'process'],
    async run(target) {
      const person = await target.newcomer()
      const first = await signIn(target, person, { clientId: AGENT })
      const replies = await Promise.all(Array.from({ length: 12 }, () => refresh(target, AGENT, first.refresh_token)))
      hold(new Set(replies.map(({ text }) => text)).size === 1, 'twelve at once got different answers')
      const { refresh_token: second } = replies[0]!.json() as { refresh_token: string }
      await target.own.setAhead(301)
      try {
        holdStatus(await refresh(target, AGENT, first.refresh_token), [400], 'the old one after five minutes')
        holdStatus(await refresh(target, AGENT, second), [400], 'the new one after that')
      } finally {
        await target.own.setAhead(0)
      }
      return 'the sign-in is over'
    },
  },
  {
    name: 'the retry window answers only to the same client, scope and resource',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const first = await signIn(target, await target.member('alice'), { clientId: AGENT })
      const one = await refresh(target, AGENT, first.refresh_token)
      const other = await register(target)
      const tries = [
        await refresh(target, other, first.refresh_token),
        await refresh(target, AGENT, first.refresh_token, { scope: 'community:read' }),
        await refresh(target, AGENT, first.refresh_token, { resource: `${target.origin}/api/${AGENT}` }),
      ]
      for (const reply of tries) hold(reply.text !== one.text && reply.status === 400, shown(reply))
      return 'three others are refused'
    },
  },
  {
    name: 'a refresh cannot ask for more than was granted, nor another client for anything',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const clientId = await register(target)
      const alice = await target.member('alice')
      const mine = await signIn(target, alice, { clientId, scope: 'community:read offline_access' })
      holdStatus(await refresh(target, AGENT, mine.refresh_token), [400, 401], 'another client')
      const wide = await refresh(target, clientId, mine.refresh_token, { scope: 'community:read community:write' })
      if (wide.status === 200) hold(!String(wide.json()?.['scope']).includes('write'), 'more scope was given')
      const resource = await refresh(target, clientId, mine.refresh_token, {
        resource: `${target.origin}/api/${AGENT}`,
      })
      hold(resource.status === 400, `the agent audience for another client: ${shown(resource)}`)
      const revoked = await revoke(target, AGENT, mine.access_token)
      holdStatus(revoked, [200, 400, 401], 'revoked by another client')
      hold(await works(target, mine.access_token), 'another client revoked it')
      return 'refused each'
    },
  },
  {
    name: 'a code is good once; used twice it ends what it began, also when both come at once',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const code = await codeFor(alice, { clientId: AGENT })
      const replies = await Promise.all(Array.from({ length: 8 }, () => token(target, exchangeForm(code))))
      const good = replies.filter(({ status }) => status === 200)
      hold(good.length <= 1, `${good.length} sign-ins for one code`)
      await token(target, exchangeForm(code))
      for (const reply of good)
        hold(!(await works(target, String(reply.json()?.['access_token']))), 'its token lives on')
      return `${good.length} of 8, and that one ended`
    },
  },
  {
    name: 'a code is bound to client, redirect address and verifier',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const other = await register(target)
      const changes: Record<string, string | undefined>[] = [
        { client_id: other },
        { redirect_uri: 'http://127.0.0.1:5124/callback' },
        { redirect_uri: undefined },
        { code_verifier: pkce().verifier },
        { code_verifier: undefined },
        { code_verifier: '' },
        { redirect_uri: `${AGENT_REDIRECT}/` },
      ]
      return holdEach(changes, JSON.stringify, async (change) => {
        const form = { ...exchangeForm(await codeFor(alice, { clientId: AGENT })), ...change }
        const sent = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Record<
          string,
          string
        >
        holdStatus(await token(target, sent), [400, 401], 'the exchange')
      })
    },
  },
  {
    name: 'requests without PKCE, with plain PKCE, or for tokens in the front channel get no code',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const { challenge } = pkce()
      const changes: Record<string, string>[] = [
        { code_challenge: '' },
        { code_challenge_method: 'plain' },
        { response_type: 'token' },
        { response_type: 'id_token' },
        { response_type: 'code token' },
        { response_mode: 'form_post' },
        { resource: 'https://evil.example/' },
        { request: 'eyJhbGciOiJub25lIn0.e30.' },
        { request_uri: 'https://evil.example/request' },
      ]
      return holdEach(changes, JSON.stringify, async (change) => {
        const page = await consentPage(alice, query({ clientId: AGENT, more: change }, challenge)).catch(
          () => undefined,
        )
        if (change['request_uri'] && page) return
        hold(page === undefined, 'it came to a consent page')
      })
    },
  },
  {
    name: 'an unknown client or redirect address is never redirected to',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const clientId = await register(target)
      const wrong = [
        'https://evil.example/',
        'https://client.example/callback/..',
        'https://client.example/callback?x=1',
        'https://client.example/callback/',
        'https://client.example.evil.example/callback',
        'http://client.example/callback',
        'https://client.example:444/callback',
        'https://CLIENT.example/callback%2f',
        'javascript:alert(1)',
      ]
      const agent = [
        'http://localhost:5123/callback',
        'http://127.0.0.1:5123/other',
        'https://127.0.0.1/callback',
        'http://127.0.0.1:5123/callback/../x',
        'http://127.0.0.2:5/callback',
        'http://127.0.0.1:5123/callback?x=1',
        'http://127.0.0.1@evil.example/callback',
      ]
      const all = [
        ...wrong.map((redirectUri) => ({ clientId, redirectUri })),
        ...agent.map((redirectUri) => ({ clientId: AGENT, redirectUri })),
        { clientId: 'unknown', redirectUri: 'https://client.example/callback' },
      ]
      return holdEach(
        all,
        ({ redirectUri }) => redirectUri,
        async (request) => {
          const reply = await alice.get(`/api/auth/oauth2/authorize?${query(request, pkce().challenge)}`)
          holdStatus(reply, [400], 'the authorization endpoint')
          hold(!reply.headers.location, `sent to ${reply.headers.location}`)
        },
      )
    },
  },
  {
    name: 'prompt=none redirects no anonymous user without a click',
    clause: '14 text',
    async run(target) {
      const clientId = await register(target)
      const reply = await target.send({
        path: `/api/auth/oauth2/authorize?${query({ clientId, more: { prompt: 'none' } }, pkce().challenge)}`,
      })
      hold(
        !reply.headers.location?.startsWith('https://client.example'),
        `sent to ${reply.headers.location} without a click`,
      )
      return `${reply.status}`
    },
  },
]
